import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { wireJsonSchema } from '../../src/script/json-schema.ts'

interface Node {
  readonly description?: string
  readonly properties: Readonly<Record<string, Node>>
  readonly items: Node
  readonly required?: readonly string[]
  readonly if: unknown
  readonly then: Node
  readonly else: Node
}

const schema = wireJsonSchema()
const takes = new Ajv2020().compile(schema)
const complaints = (answer: unknown): string[] => {
  takes({ rules: [{ when: {}, answer }] })
  return (takes.errors ?? []).map(({ instancePath, message }) => `${instancePath}: ${message}`)
}

test('an editor is told what every field of a rule is', () => {
  expect(schema).toMatchObject({
    title: 'wire.json of a scenario',
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    required: ['rules'],
  })
  const { properties } = schema as unknown as Node
  const { when, answer, name, times } = properties['rules']!.items.properties
  for (const { properties: fields } of [when!, answer!.then, answer!.else]) {
    for (const [field, { description }] of Object.entries(fields)) {
      expect([field, description]).toEqual([field, expect.stringMatching(/\.$/)])
    }
  }
  for (const { description } of [name!, times!, answer!]) expect(description).toMatch(/\.$/)
  expect(answer!.then).not.toHaveProperty('$schema')
  expect(answer!.else).not.toHaveProperty('$schema')
})

test('both kinds of answer are taken, and each is told its own faults', () => {
  expect(
    complaints({ text: ['a', 'b'], toolCalls: [{ name: 'x', arguments: { a: [1] } }] }),
  ).toEqual([])
  expect(complaints({ status: 500, body: { a: null }, headers: { b: 'c' } })).toEqual([])
  expect(complaints({ status: 500, text: 'x' })[0]).toBe(
    '/rules/0/answer: must NOT have additional properties',
  )
  expect(complaints({ status: 199 })[0]).toBe('/rules/0/answer/status: must be >= 200')
  expect(complaints({ text: 1 })[0]).toMatch(/^\/rules\/0\/answer\/text: /)
  expect(complaints({ toolCalls: [{ name: 'x', arguments: 1 }] }).at(-2)).toMatch(/^\/rules\/0\//)
  expect(complaints(null)[0]).toBe('/rules/0/answer: must be object')
})
