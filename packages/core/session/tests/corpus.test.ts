import { describe, expect, test } from 'vitest'
import { packedTwin, readCorpus, type RecordedLog } from '../../../../scripts/lib/corpus.ts'
import {
  LogConverter,
  type LogLayout,
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
  surfaceMessage,
} from '../src/index.ts'

const corpus = readCorpus(process.env.DSH_CORPUS_DIR)
const complete = corpus.logs.filter(({ form }) => form !== 'projected')
const projected = corpus.logs.filter(({ form }) => form === 'projected')
/** A log in a set of packed ones may have nothing to pack. */
const packed = complete.filter(({ name, form }) => form === 'packed' || /-packed\//.test(name))
const twins = complete.flatMap((plain) => {
  const twin = packedTwin(corpus, plain)
  return twin === undefined ? [] : [{ name: plain.name, plain: plain.text, packed: twin.text }]
})

const linesOf = (text: string): string[] => text.split('\n').filter(Boolean)
const lines = (...all: string[]): string => all.map((line) => `${line}\n`).join('')
const eventsOf = ({ text }: Pick<RecordedLog, 'text'>): readonly SessionEvent[] =>
  parseLogText(text, { tolerant: true }).events

/** Packed rows and projected lines have no `seq`. */
function isEventLine(line: string): boolean {
  return 'seq' in (JSON.parse(line) as object)
}

/** The log with every record written anew. */
function rewritten(text: string, records: readonly StorageRecord[]): string {
  return lines(text.slice(0, text.indexOf('\n')), ...records.map(serializeRecord))
}

function converted(text: string, layout: LogLayout): string {
  const out: string[] = []
  const converter = new LogConverter(layout, (line) => out.push(line))
  for (const line of linesOf(text)) converter.line(line)
  converter.end()
  return lines(...out)
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

/** Which events the conversation shows, by the meaning of the operations alone. */
function shownSeqs(events: readonly SessionEvent[]): number[] {
  const seqs: number[] = []
  for (const { seq, surfaceOp: op } of events) {
    if (op === 'append') seqs.push(seq)
    else if (op !== undefined) {
      seqs.splice(seqs.indexOf(op.start), seqs.indexOf(op.end) - seqs.indexOf(op.start) + 1, seq)
    }
  }
  return seqs
}

describe.skipIf(corpus.why !== '')(`recordings${corpus.why}`, () => {
  test('are there', () => {
    expect(complete.length).toBeGreaterThan(0)
  })

  test.each(corpus.logs)('$name keeps its bytes', ({ text }) => {
    const [header = '', ...rest] = linesOf(text)
    const parsed = parseHeaderLine(header, { tolerant: true })
    // A header without a version gets one.
    if (header.includes('"version":')) expect(serializeHeader(parsed)).toBe(header)
    else expect(parsed).toMatchObject(JSON.parse(header) as object)
    for (const [index, line] of rest.entries()) {
      expect(JSON.stringify(JSON.parse(line))).toBe(line)
      if (isEventLine(line)) {
        expect(serializeEvent(parseEventLine(line, index + 2, { tolerant: true }))).toBe(line)
      }
    }
  })

  test.each(complete)('$name: packing loses nothing, and is done once', (log) => {
    const { text } = log
    const once = rewritten(text, packChunkRuns(eventsOf(log)))
    expect(converted(text, 'pack')).toBe(once)
    expect(converted(once, 'pack')).toBe(once)
    expect(eventsOf({ text: once })).toEqual(eventsOf(log))
    const plain = rewritten(text, eventsOf(log))
    expect(converted(once, 'unpack')).toBe(plain)
    if (log.form === 'plain') expect(plain).toBe(text)
  })

  test.each(packed)('$name: decoding and packing again is the identity', (log) => {
    expect(rewritten(log.text, packChunkRuns(eventsOf(log)))).toBe(log.text)
  })

  test.each(twins)('$name packs to the bytes of its twin, and back', ({ plain, ...twin }) => {
    expect(converted(plain, 'pack')).toBe(twin.packed)
    expect(converted(twin.packed, 'unpack')).toBe(plain)
  })

  test.runIf(twins.some((twin) => twin.plain !== twin.packed))('are far smaller packed', () => {
    const sizeOf = (form: 'plain' | 'packed'): number =>
      twins.reduce((sum, twin) => sum + Buffer.byteLength(twin[form]), 0)
    expect(sizeOf('packed') / sizeOf('plain')).toBeLessThan(0.5)
  })

  test.each(projected)('$name: the projected form is read', (log) => {
    const raw = linesOf(log.text).slice(1)
    const events = eventsOf(log)
    expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index))
    const members = raw.map((line) => (/"(?:texts|args)":\[/.test(line) ? rowSize(line) : 1))
    expect(events).toHaveLength(members.reduce((sum, size) => sum + size, 0))
    const restored = packChunkRuns(events).map((record) => JSON.stringify(project(record)))
    expect(restored).toEqual(raw)
  })

  test.each(corpus.logs)('$name shows the conversation that its operations make', (log) => {
    const events = eventsOf(log)
    const surface = new Surface()
    for (const event of events) {
      expect(surface.problem(event.surfaceOp)).toBeUndefined()
      surface.apply(event)
    }
    const bySeq = new Map(events.map((event) => [event.seq, event]))
    const shown = shownSeqs(events).map((seq) => surfaceMessage(bySeq.get(seq) as SessionEvent))
    expect(surface.messages()).toEqual(shown.filter((message) => message !== undefined))
  })
})
