import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  packChunkRuns,
  parseEventLine,
  parseHeaderLine,
  parseLogText,
  serializeEvent,
  serializeHeader,
  serializeRecord,
  type SessionEvent,
  type StorageRecord,
  type StorageRow,
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

/** Packed rows and projected lines have no `seq`. */
function isEventLine(line: string): boolean {
  return 'seq' in (JSON.parse(line) as object)
}

const textOf = (file: string): string => readFileSync(join(root, file), 'utf8')
const lines = (...all: string[]): string => all.map((line) => `${line}\n`).join('')

function repack(text: string): string {
  const { header, events } = parseLogText(text, { tolerant: true })
  return lines(serializeHeader(header), ...packChunkRuns(events).map(serializeRecord))
}

function rowSize(line: string): number {
  return (JSON.parse(line) as { data: { dt: unknown[] } }).data.dt.length + 1
}

/** The projected form of a record. */
function project(record: StorageRecord): object {
  const {
    seq: _,
    time: _time,
    seq0: _seq0,
    time0: _time0,
    ...rest
  } = record as StorageRow & SessionEvent
  return rest
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

  const inFolder = (folder: string): string[] =>
    files.filter((file) => file.startsWith(`${folder}/`))

  test('has packed twins of plain logs, and later logs in both forms', () => {
    expect(inFolder('dsh-2026-07-packed')).toHaveLength(17)
    expect(inFolder('dsh-2026-07')).toHaveLength(17)
    expect(inFolder('dsh-2026-08-packed')).toHaveLength(14)
    expect(inFolder('dsh-2026-08-projected').length).toBeGreaterThan(4)
  })

  test.each(inFolder('dsh-2026-07'))('%s packs to the bytes of its twin, and back', (file) => {
    const plain = textOf(file)
    const packed = textOf(file.replace('dsh-2026-07', 'dsh-2026-07-packed'))
    expect(repack(plain)).toBe(packed)
    const { header, events } = parseLogText(packed, { tolerant: true })
    expect(events).toEqual(parseLogText(plain, { tolerant: true }).events)
    expect(lines(serializeHeader(header), ...events.map(serializeEvent))).toBe(plain)
  })

  test.each([...inFolder('dsh-2026-08-packed'), ...inFolder('dsh-2026-07-packed')])(
    '%s: decoding and packing again is the identity',
    (file) => {
      expect(repack(textOf(file))).toBe(textOf(file))
    },
  )

  test.each(inFolder('dsh-2026-08-projected'))('%s: the projected form is read', (file) => {
    const raw = linesOf(file).slice(1)
    const { events } = parseLogText(textOf(file))
    expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index))
    const members = raw.map((line) => (/"(?:texts|args)":\[/.test(line) ? rowSize(line) : 1))
    expect(events).toHaveLength(members.reduce((sum, size) => sum + size, 0))
    const restored = packChunkRuns(events).map((record) => JSON.stringify(project(record)))
    expect(restored).toEqual(raw)
  })

  test('packed logs are as small as the format promises', () => {
    const sizeOf = (folder: string): number =>
      inFolder(folder).reduce((sum, file) => sum + Buffer.byteLength(textOf(file)), 0)
    expect([sizeOf('dsh-2026-07'), sizeOf('dsh-2026-07-packed')]).toEqual([241_320, 85_008])
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
