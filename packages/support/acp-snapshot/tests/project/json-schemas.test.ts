import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { jsonSchemas } from '../../src/project/json-schemas.ts'

const committed = new URL('../../schemas/', import.meta.url)

it('what is shipped is what the code checks; `pnpm schemas` writes it', () => {
  const schemas = jsonSchemas()
  expect(readdirSync(committed).sort()).toEqual(Object.keys(schemas).sort())
  for (const [name, text] of Object.entries(schemas)) {
    expect(readFileSync(new URL(name, committed), 'utf8')).toBe(text)
  }
})

interface Node {
  readonly properties: Readonly<Record<string, Node & { readonly description?: string }>>
  readonly items: { readonly oneOf: readonly Node[] } & Node
  readonly required: readonly string[]
  readonly additionalProperties: unknown
  readonly const?: string
  readonly type: string
}

it('says of every field of input.json what it is, and of steps which ops there are', () => {
  const input = JSON.parse(jsonSchemas()['input.schema.json']!) as Node
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
  const config = JSON.parse(jsonSchemas()['config.schema.json']!) as Node
  const { pattern } = config.properties['normalise']!.items.properties
  expect(pattern).toEqual({
    description: 'A regular expression for what varies from run to run.',
    type: 'string',
    minLength: 1,
  })
  expect(config.required).toEqual(['command'])
})
