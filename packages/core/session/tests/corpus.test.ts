import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseEventLine, parseHeaderLine, serializeEvent, serializeHeader } from '../src/index.ts'

const root = process.env.DSH_CORPUS_DIR ?? ''
const files =
  root === ''
    ? []
    : readdirSync(root, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.jsonl'))
        .sort()

function linesOf(file: string): string[] {
  return readFileSync(join(root, file), 'utf8').split('\n').filter(Boolean)
}

/** Packed rows and projected lines have no `seq`; other packages read those. */
function isEventLine(line: string): boolean {
  return 'seq' in (JSON.parse(line) as object)
}

describe.skipIf(root === '')('the corpus (skipped: DSH_CORPUS_DIR is not set)', () => {
  test('holds logs', () => {
    expect(files.length).toBeGreaterThan(0)
  })

  test.each(files)('%s keeps its bytes', (file) => {
    const [header = '', ...rest] = linesOf(file)
    expect(serializeHeader(parseHeaderLine(header))).toBe(header)
    for (const [index, line] of rest.entries()) {
      expect(JSON.stringify(JSON.parse(line))).toBe(line)
      if (isEventLine(line)) expect(serializeEvent(parseEventLine(line, index + 2))).toBe(line)
    }
  })
})
