import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { expect } from 'vitest'
import type { JsonLine } from '../../src/cli/json-line.ts'

const file = new URL('../../schemas/result.schema.json', import.meta.url)
export const takes = new Ajv({ allowUnionTypes: true }).compile<JsonLine>(
  JSON.parse(readFileSync(file, 'utf8')) as object,
)

/** What a line of `--json` says, which has to be what the shipped schema says of lines. */
export function printed(line: string | undefined): JsonLine {
  const value: unknown = JSON.parse(line as string)
  expect([takes(value), takes.errors]).toEqual([true, null])
  return value as JsonLine
}
