import { cwdMapping, parseSessionLog, replaceInText } from 'dsh-llm-replay'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readCorpus } from '../../../../../scripts/lib/corpus.ts'
// Not exported: it is what replay serves.
import { mapChunks } from '../../../llm-replay/src/map-chunks.ts'
import { isFields, splitLines } from '../../src/log/lines.ts'
import { createNormaliser } from '../../src/normalise/normaliser.ts'
import { recordingFacts } from '../../src/normalise/recording.ts'
import { header, jsonl } from '../temp.ts'

/** Replay and the normal form have to find the same paths: what is replayed is normal as recorded. */

type StreamChunk = Parameters<typeof mapChunks>[0][number]
type Event = { readonly type: string; readonly data: unknown }

const ID = '00000000-aaaa-4aaa-8aaa-000000000000'
const UUID = '11111111-bbbb-4bbb-8bbb-111111111111'
const RECORDED = ['/rec/w', '/tmp/abc', '/private/tmp/abc', '/var/f/T/x-1', '/srv/é b', '/a.b+c/d']
const LIVE = ['/live/elsewhere', '/tmp/run-7/cwd', '/private/var/q', '/srv/ü/文', '/rec/wide/x']

const log = (cwd: string, events: readonly unknown[]) => jsonl(header(ID, { cwd }), ...events)
const normal = (cwd: string, events: readonly unknown[]) =>
  createNormaliser({ sessionIds: [ID], ...aliasesOf(cwd) }).log(log(cwd, events), 0)
const aliasesOf = (cwd: string) => ({ cwdAliases: recordingFacts([log(cwd, [])]).cwdAliases })

/** The events as the replay of their log writes them: chunks as served, and what follows from them. */
function replayed(events: readonly Event[], from: string, to: string): Event[] {
  const mapping = cwdMapping(from, to)
  const out: Event[] = []
  let call: { event: Event; chunk: StreamChunk }[] = []
  const serve = () => {
    const chunks = call.map(({ chunk }) => chunk)
    const served = mapChunks(chunks, mapping)
    expect(served).toHaveLength(chunks.length)
    call.forEach(({ event }, at) => {
      out.push({ ...event, data: { ...(event.data as object), chunk: served[at] } })
    })
    call = []
  }
  const follow = (value: unknown, key = ''): unknown => {
    if (typeof value === 'string') {
      return replaceInText(value, key === 'arguments' ? mapping.json : mapping.text)
    }
    if (Array.isArray(value)) return value.map((item) => follow(item))
    if (!isFields(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, follow(item, name)]),
    )
  }
  for (const event of events) {
    const chunk = isFields(event.data) ? (event.data['chunk'] as StreamChunk) : undefined
    if (event.type === 'assistant/chunk' && chunk !== undefined) {
      call.push({ event, chunk })
      if (chunk.type === 'finish') serve()
    } else {
      serve()
      out.push({ ...event, data: follow(event.data) })
    }
  }
  serve()
  return out
}

const delta = (chunk: object): Event => ({
  type: 'assistant/chunk',
  data: { turn: 1, step: 1, chunk },
})
const cutAt = (text: string, cuts: readonly number[]): string[] => {
  const places = [...cuts.map((cut) => cut % (text.length + 1)), 0, text.length]
  places.sort((a, b) => a - b)
  return places.slice(1).map((end, at) => text.slice(places[at], end))
}
/** A call that says a text, thinks it, and uses it in a tool; each cut anywhere. */
function saying(text: string, cuts: readonly number[]): Event[] {
  // Nested once more, as a script in an argument is.
  const args = JSON.stringify({ command: text, script: JSON.stringify([text]) })
  return [
    ...cutAt(text, cuts).map((piece) => delta({ type: 'reasoning-delta', index: 0, text: piece })),
    ...cutAt(text, cuts).map((piece) => delta({ type: 'text-delta', index: 1, text: piece })),
    delta({ type: 'block-end', index: 1, block: { type: 'text', text } }),
    ...cutAt(args, cuts).map((piece) =>
      delta({ type: 'tool-call-delta', index: 2, id: 'c', argumentsDelta: piece }),
    ),
    delta({ type: 'finish', reason: { kind: 'tool-calls' } }),
    { type: 'tool/call', data: { callId: 'c', name: 'bash', arguments: args } },
    { type: 'tool/result', data: { callId: 'c', content: [{ type: 'text', text }] } },
  ]
}

/** JSON's ways to write a path. */
const forms = (path: string): string[] => [
  path,
  path.replaceAll('/', '\\/'),
  path.replaceAll('/', '\\u002f'),
  JSON.stringify(path).slice(1, -1),
  path.replace(/^(?:\/private)?(?=\/(?:tmp|var)\/)/, '/private'),
]
const AROUND =
  '/ // . .. , : - ~ @ @x + +x } }} { {{ {{x " \\ \\n \\t \\u00e9 \\u5728 \\" \\/ é n 2 _ 目录 文件在 の 에서 ' +
  '😀 -I -L= file:// http:/ a/ a\\/ ./ $ $x %20 * ** ` 。 …'
const around = fc.oneof(
  fc.constantFrom(
    ...AROUND.split(' '),
    ' ',
    '\n',
    '\n-',
    '.bak',
    UUID,
    ID,
    '{{id.1}}',
    '{{session}}',
  ),
  fc.string({ unit: 'grapheme', maxLength: 3 }),
)
const settings = fc.record({
  from: fc.constantFrom(...RECORDED),
  to: fc.constantFrom(...LIVE),
  cuts: fc.array(fc.nat(200), { maxLength: 8 }),
  parts: fc.array(fc.tuple(around, fc.nat(4)), { minLength: 1, maxLength: 4 }),
  last: around,
})
const textOf = (path: string, parts: readonly [string, number][], last: string) =>
  parts.map(([before, form]) => before + (forms(path)[form] ?? '')).join('') + last

/** A failure prints the seed by which it can be repeated. */
const seed = process.env['FC_SEED']
const check = <T>(property: fc.IProperty<T>, numRuns: number) =>
  fc.assert(property, { numRuns, ...(seed === undefined ? {} : { seed: Number(seed) }) })

describe('a replayed log (property)', () => {
  it('is normal as its recording is, whatever stands around the path', () => {
    check(
      fc.property(settings, ({ from, to, cuts, parts, last }) => {
        const events = saying(textOf(from, parts, last), cuts)
        const wanted = normal(from, events)
        expect(normal(to, replayed(events, from, to))).toBe(wanted)
        // The normal form is a recording too, and stays what it is.
        const again = splitLines(wanted)
          .slice(1)
          .map((line) => JSON.parse(line) as Event)
        expect(normal('{{cwd}}', again)).toBe(wanted)
        expect(normal(to, replayed(again, '{{cwd}}', to))).toBe(wanted)
      }),
      120,
    )
  })

  it('maps back to what was recorded', () => {
    check(
      fc.property(settings, ({ from, to, parts, last }) => {
        const plain = parts.map(([before]): [string, number] => [before, 0])
        const text = textOf(from, plain, last)
        const there = replaceInText(text, cwdMapping(from, to).text)
        const back = replaceInText(there, cwdMapping(to, from).text)
        // A path whose first slash is escaped comes back with all of them escaped.
        const slashes = (written: string) => written.replace(/\\+\//g, '/')
        expect(slashes(back)).toBe(slashes(text))
      }),
      1500,
    )
  })
})

const corpus = readCorpus(process.env['DSH_CORPUS_DIR'])

describe.skipIf(corpus.why !== '')(`recordings${corpus.why}`, () => {
  const recordings = corpus.logs.map(({ name, text }) => {
    const { cwd } = JSON.parse(text.slice(0, text.indexOf('\n'))) as { cwd?: string }
    return { name, cwd: cwd?.startsWith('/') ? cwd : '/tmp/abc', events: parseSessionLog(text) }
  })

  it.each(recordings)('$name: is normal as it was, with its cwd said in every way', (recording) => {
    const { cwd, events } = recording
    const said = AROUND.split(' ').flatMap((other) =>
      forms(cwd).flatMap((form) => [
        `${other}${form}/x`,
        `${form}${other}`,
        `${other}${form}${other}`,
      ]),
    )
    let next = 0
    const edit = (event: Event): Event[] => {
      const chunk = isFields(event.data) ? event.data['chunk'] : undefined
      const type = isFields(chunk) ? chunk['type'] : event.type
      if (type !== 'block-start' && type !== 'user/message') return [event]
      next += 7
      return [event, ...saying(said[next % said.length] ?? '', [next, next * 3])]
    }
    const edited = [
      ...events.flatMap(edit),
      ...saying(
        said.join(' | '),
        said.map((_, at) => at * 61),
      ),
    ]
    const wanted = normal(cwd, edited)
    expect(wanted).toContain('{{cwd}}')
    const to = LIVE[events.length % LIVE.length] ?? ''
    expect(normal(to, replayed(edited, cwd, to))).toBe(wanted)
  })
})
