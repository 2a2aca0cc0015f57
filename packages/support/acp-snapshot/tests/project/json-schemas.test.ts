import { expect, it } from 'vitest'
import { jsonSchemas } from '../../src/project/json-schemas.ts'

interface Node {
  readonly properties: Readonly<Record<string, Node & { readonly description?: string }>>
  readonly items: { readonly oneOf: readonly Node[] } & Node
  readonly required: readonly string[]
  readonly additionalProperties: unknown
  readonly const?: string
  readonly type: string
}
const schema = (name: string) => jsonSchemas()[name] as unknown as Node

it('says of every field of input.json what it is, and of steps which ops there are', () => {
  const input = schema('input.schema.json')
  expect(input).toMatchObject({ title: 'input.json of a scenario' })
  expect(input.required).toEqual(['steps'])
  expect(input.additionalProperties).toBe(false)
  for (const [name, { description }] of Object.entries(input.properties)) {
    expect([name, description]).toEqual([name, expect.stringMatching(/\.$/)])
  }
  const ops = input.properties['steps']!.items.oneOf.map(
    ({ properties }) => properties['op']!.const,
  )
  expect(ops).toContain('promptAndCancel')
  expect(ops).toHaveLength(9)
})

it('takes a pattern as a text, which is what JSON has', () => {
  const config = schema('config.schema.json')
  const { pattern } = config.properties['normalise']!.items.properties
  expect(pattern).toEqual({
    description: 'A regular expression for what varies from run to run.',
    type: 'string',
    minLength: 1,
  })
  expect(config.required).toEqual(['command'])
})
