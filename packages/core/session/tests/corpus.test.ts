import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  parseEventLine,
  parseHeaderLine,
  serializeEvent,
  serializeHeader,
  Surface,
} from '../src/index.ts'

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

  test('a compaction replaces the message that it names by seq', () => {
    const file = files.find((each) => each.includes('packed') && each.includes('compaction'))
    const events = linesOf(file ?? '')
      .slice(1)
      .filter(isEventLine)
      .map((line, index) => parseEventLine(line, index + 2))
    const surface = new Surface()
    for (const event of events) {
      expect(surface.problem(event.surfaceOp)).toBeUndefined()
      surface.apply(event)
    }
    const shown = surface.messages().map(({ role, content: [first] }) => [role, first?.type])
    expect(shown).toEqual([
      ['user', 'text'],
      ['assistant', 'tool-call'],
      ['user', 'tool-result'],
      ['assistant', 'text'],
    ])
    expect(JSON.stringify(surface.messages()[0])).toContain('checkpoint condensing')
  })
})
