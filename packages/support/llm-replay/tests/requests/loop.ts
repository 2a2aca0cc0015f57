import { Context } from '@deepseek-ai/cordis'
import * as agents from 'dsh-agent'
import * as llm from 'dsh-llm'
import type { StreamChunk } from 'dsh-llm'
import * as sessions from 'dsh-session'
import type { Session, SessionEvent } from 'dsh-session'
import * as tools from 'dsh-tools'
import { installLlmReplay, type ReplayConfig, type ReportRecord } from '../../src/index.ts'
import { answer, logText, readReport, type tempFolder } from '../helpers/log.ts'

/** The parts of an agent that a fault may be put into. */
export interface Parts {
  readonly agents: typeof agents
  readonly llm: typeof llm
}
export const PARTS: Parts = { agents, llm }

const asks = (id: string, name: string): StreamChunk[] => [
  { type: 'block-end', index: 0, block: { type: 'tool-call', id, name, arguments: '{}' } },
  { type: 'finish', reason: { kind: 'tool-calls' } },
]

/** What the model says, by session in order of creation. */
const ANSWERS: readonly (readonly (readonly StreamChunk[])[])[] = [
  [asks('a', 'look'), answer('I looked.'), asks('b', 'look'), answer('Again.')],
  [answer('I am the copy.')],
]
const text = (words: string) => ({ content: [{ type: 'text', text: words } as const] })

async function compose(parts: Parts, config: agents.Config): Promise<Context> {
  const ctx = new Context()
  await ctx.plugin(parts.llm)
  await ctx.plugin(sessions)
  await ctx.plugin(tools)
  await ctx.plugin(parts.agents, config)
  for (const name of ['look', 'touch']) {
    ctx.tools.register({
      name,
      description: `${name} at the folder`,
      parameters: { type: 'object', properties: {} },
      execute: async (_input: unknown, { cwd, session }: tools.ToolCallContext) => ({
        content: [{ type: 'text', text: `${session.id} is in ${cwd}/src` }],
      }),
    } as unknown as tools.Tool)
  }
  return ctx
}

/** A turn with a tool, one with a message steered into it, and a copy of the session with a turn. */
async function converse(ctx: Context, cwd: string): Promise<Session[]> {
  const root = ctx.sessions.create({ cwd, root: 0 })
  const agent = ctx.agents.create({ session: root })
  await agent.prompt(text(`Look around in ${cwd}.`))
  const seed = [...root.events]
  agent.steer({ ...text('It is late.'), source: { kind: 'plugin', plugin: 'clock' } })
  await agent.prompt(text('And again.'))
  const spawnedBy = { turn: 2, step: 1, call: 0, index: 0 }
  const child = ctx.sessions.create({ cwd, parentSession: root.id, seed, spawnedBy })
  await ctx.agents.create({ session: child }).prompt(text('Who are you?'))
  return [root, child]
}

/** The logs as they are committed: ids and paths as tokens, without times. */
function committed(made: readonly Session[], scrub: boolean): string[] {
  return made.map(({ header, events }, rank) => {
    const normal = events.map((event) => ({ ...event, time: 0, data: scrubbed(event, scrub) }))
    let log = logText({ ...header, createdAt: rank }, normal)
    for (const [at, { id, cwd }] of made.entries()) {
      log = log.replaceAll(id, at === 0 ? '{{session}}' : `{{session.${at}}}`)
      log = log.replaceAll(cwd, '{{cwd}}')
    }
    return log
  })
}

function scrubbed({ type, data }: SessionEvent, scrub: boolean): unknown {
  if (type !== 'request/header' || !scrub) return data
  const { header, reason } = data as sessions.CoreEvents['request/header']
  return { header: { ...header, system: '{{system}}', tools: '{{tools}}' }, reason }
}

export interface Outcome {
  /** Whether every log is as it was recorded. */
  readonly same: boolean
  readonly drifts: readonly Extract<ReportRecord, { event: 'drifted' }>[]
  readonly report: readonly ReportRecord[]
}

let count = 0

/** Records the conversation with a sound agent, and replays it with another. */
export async function replayed(
  folder: ReturnType<typeof tempFolder>,
  parts: Parts,
  options: Pick<ReplayConfig, 'requests'> & { readonly scrub?: boolean; config?: agents.Config },
): Promise<Outcome> {
  const { requests, scrub = true, config = {} } = options
  const recording = await compose(PARTS, {})
  const made = new Map<unknown, number>()
  const turns = ANSWERS.map((answers) => [...answers])
  recording.on('llm/stream', async function* ({ sessionId }: llm.GenerateOptions) {
    const index = made.get(sessionId) ?? made.size
    made.set(sessionId, index)
    yield* turns[index]?.shift() as StreamChunk[]
  } as never)
  const recorded = committed(await converse(recording, '/rec/cwd'), scrub)
  const run = count++
  const [file = '', ...childFiles] = recorded.map((log, at) =>
    folder.write(`loop.${run}.${at}.jsonl`, log),
  )
  const reportFile = folder.path(`loop.${run}.report.jsonl`)
  const ctx = await compose(parts, config)
  const dispose = installLlmReplay(ctx, {
    file,
    childFiles,
    reportFile,
    ...(requests === undefined ? {} : { requests }),
  })
  const logs = committed(await converse(ctx, '/live/cwd'), scrub)
  dispose()
  const report = readReport(reportFile)
  return {
    same: logs.join('') === recorded.join(''),
    drifts: report.filter((record) => record.event === 'drifted'),
    report,
  }
}
