import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  packedTwin,
  readCorpus,
  type RecordedLog,
  type Recording,
} from '../../../../scripts/lib/corpus.ts'
import {
  deriveReplayScript,
  installLlmReplay,
  loadSessionScripts,
  parseSessionHeader,
  parseSessionLog,
  type ReplayEntry,
} from '../src/index.ts'
import { call, collect, testContext } from './helpers/agent.ts'

const corpus = readCorpus(process.env.DSH_CORPUS_DIR)
const twins = corpus.logs.flatMap((plain) => {
  const packed = packedTwin(corpus, plain)
  return packed === undefined ? [] : [{ name: plain.name, plain, packed }]
})
const OVERRIDE = 'replay.override.json'
const overridden = corpus.recordings.filter(({ files }) => files.includes(OVERRIDE))
const forks = corpus.recordings.filter(
  ({ logs: [, child, ...more] }) =>
    child !== undefined &&
    more.length === 0 &&
    (parseSessionHeader(child.text).seedLength ?? 0) > 0,
)

function filesOf({ logs, dir }: Recording) {
  return { file: `${dir}/session.jsonl`, childFiles: logs.slice(1).map(({ file }) => file) }
}

/** What a session itself logged of a log: the events that it took over are its parent's. */
function ownEvents({ text }: RecordedLog) {
  return parseSessionLog(text).slice(parseSessionHeader(text).seedLength ?? 0)
}

interface Calls {
  /** The chunks of each call that came to its end. */
  readonly whole: readonly (readonly unknown[])[]
  readonly cut: boolean
}

/** The calls of a log by its chunks alone; undefined where other events say how calls ended, too. */
function callsOf(log: RecordedLog): Calls | undefined {
  const whole: unknown[][] = []
  let open: { readonly place: string; readonly chunks: unknown[] } | undefined
  let cut = false
  for (const { type, data } of ownEvents(log)) {
    if (type === 'llm/failure' || type === 'llm/retry') return undefined
    if (type !== 'assistant/chunk') continue
    const { turn, step, chunk } = data as { turn: number; step: number; chunk: { type: string } }
    const place = `${turn}/${step}`
    cut ||= open !== undefined && open.place !== place
    if (open?.place !== place) open = { place, chunks: [] }
    open.chunks.push(chunk)
    if (chunk.type !== 'finish') continue
    whole.push(open.chunks)
    open = undefined
  }
  return { whole, cut: cut || open !== undefined }
}

function chunksOf(entries: readonly ReplayEntry[]): unknown[] {
  return entries.map((entry) => (entry.kind === 'chunks' ? entry.chunks : entry))
}

/** What derivation makes of events, or why it makes nothing of them. */
function derived(events: Parameters<typeof deriveReplayScript>[0]): unknown {
  try {
    return deriveReplayScript(events, {})
  } catch (error) {
    return String(error)
  }
}

/** Whatever else a log holds is of plugins that this project does not know. */
const OF_CALLS: ReadonlySet<string> = new Set([
  'turn/start',
  'turn/end',
  'step/start',
  'step/end',
  'assistant/chunk',
  'assistant/message',
  'llm/failure',
  'llm/retry',
])

describe.skipIf(corpus.why !== '')(`recordings that other people made${corpus.why}`, () => {
  it('are there', () => {
    expect(corpus.logs.flatMap((log) => callsOf(log)?.whole ?? []).length).toBeGreaterThan(0)
  })

  it.each(corpus.recordings)(
    '$name: every answer is derived, and a cut one refused',
    (recording) => {
      const calls = recording.logs.map(callsOf)
      const load = () => loadSessionScripts(filesOf(recording))
      if (calls.some((each) => each?.cut)) {
        expect(load).toThrow(/^llm-replay: model call \d+\/\d+ ended without a finish chunk/)
        return
      }
      const scripts = load()
      expect(scripts).toHaveLength(recording.logs.length)
      for (const [index, log] of recording.logs.entries()) {
        const script = scripts.find(({ file }) => file === log.file)
        const wanted = calls[index]?.whole
        if (wanted !== undefined) expect(chunksOf(script?.entries ?? [])).toEqual(wanted)
        else expect(script?.entries.length).toBeGreaterThan(0)
      }
    },
  )

  it.each(overridden)('$name: its sidecar answers instead', (recording) => {
    const overrideFile = `${recording.dir}/${OVERRIDE}`
    const [primary, ...children] = loadSessionScripts({ ...filesOf(recording), overrideFile })
    const sidecar: unknown = JSON.parse(readFileSync(overrideFile, 'utf8'))
    if (Array.isArray(sidecar)) expect(primary?.entries).toHaveLength(sidecar.length)
    expect(children).toHaveLength(recording.logs.length - 1)
  })

  it.each(twins)('$name: the packed form answers the same', ({ plain, packed }) => {
    expect(parseSessionLog(packed.text)).toEqual(parseSessionLog(plain.text))
  })

  it.each(corpus.logs)('$name: events of other plugins change nothing', (log) => {
    const events = ownEvents(log)
    expect(derived(events)).toEqual(derived(events.filter(({ type }) => OF_CALLS.has(type))))
  })

  it.each(forks)(
    'case R2: $name: a fork answers with its own call, not with what it inherited',
    async (recording) => {
      const ctx = await testContext()
      installLlmReplay(ctx, filesOf(recording))
      const [parent, child] = recording.logs.map(callsOf)
      expect(await collect(call(ctx, 'parent'))).toEqual(parent?.whole[0])
      expect(await collect(call(ctx, 'child'))).toEqual(child?.whole[0])
      expect(parent?.whole).not.toContainEqual(child?.whole[0])
    },
  )
})
