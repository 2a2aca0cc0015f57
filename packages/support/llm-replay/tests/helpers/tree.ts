import { Context } from '@deepseek-ai/cordis'
import { LlmService } from 'dsh-llm'
import { type SessionHeader, SessionService, type SpawnedBy } from 'dsh-session'
import { installLlmReplay, type ReplayConfig, type ReportRecord } from '../../src/index.ts'
import { call, collect, rejection } from './agent.ts'
import {
  type Call,
  events,
  header,
  logText,
  readReport,
  sid,
  type tempFolder,
  textOf,
} from './log.ts'

let count = 0

/** A recorded session; the first is the primary. */
export interface Recorded {
  readonly header: Partial<SessionHeader> & { readonly id: SessionHeader['id'] }
  readonly calls: readonly Call[]
}

export interface Tree {
  readonly ctx: Context
  readonly files: readonly string[]
  readonly reportFile: string
  readonly dispose: () => void
  /** Makes a live session. */
  make(parent?: string, fields?: { root?: number; spawnedBy?: SpawnedBy }): string
  /** The text of the session's next answer. */
  say(session: string): Promise<string>
  /** The message with which the session's next call is refused. */
  refusal(session: string): Promise<string>
  reported<E extends ReportRecord['event']>(event: E): Extract<ReportRecord, { event: E }>[]
}

/** A place in turn 1, step 1, unless said otherwise. */
export function place(fields: Partial<SpawnedBy> = {}): SpawnedBy {
  const { turn = 1, step = 1, call: at = 0, index = 0, ...rest } = fields
  return { turn, step, ...(rest.plugin === undefined ? { call: at } : {}), index, ...rest }
}

/** A recorded root. */
export function root(
  id: string,
  calls: readonly Call[],
  fields: Partial<SessionHeader> = {},
): Recorded {
  return { header: header({ id: sid(id), ...fields }), calls }
}

/** A recorded child. */
export function child(
  id: string,
  parent: string,
  calls: readonly Call[],
  fields: Partial<SessionHeader> = {},
): Recorded {
  return { header: header({ id: sid(id), parentSession: sid(parent), ...fields }), calls }
}

/** A context with the real session store, and a replay of the given sessions. */
export async function tree(
  folder: ReturnType<typeof tempFolder>,
  recorded: readonly Recorded[],
  config: Partial<ReplayConfig> = {},
  replay: { installLlmReplay: typeof installLlmReplay } = { installLlmReplay },
): Promise<Tree> {
  const run = count++
  const files = recorded.map(({ header, calls }, at) =>
    folder.write(`tree.${run}.${at}.jsonl`, logText(header, events(calls))),
  )
  const [file = '', ...childFiles] = files
  const reportFile = folder.path(`tree.${run}.report.jsonl`)
  const ctx = new Context()
  await ctx.plugin(LlmService)
  await ctx.plugin(SessionService)
  const dispose = replay.installLlmReplay(ctx, { file, childFiles, reportFile, ...config })
  return {
    ctx,
    files,
    reportFile,
    dispose,
    make: (parent, fields = {}) =>
      ctx.sessions.create({
        cwd: '/live/cwd',
        ...(parent === undefined ? {} : { parentSession: sid(parent) }),
        ...fields,
      }).id,
    say: async (session) => textOf(await collect(call(ctx, session))),
    refusal: async (session) => (await rejection(collect(call(ctx, session)))).message,
    reported: (event) => readReport(reportFile).filter((record) => record.event === event) as never,
  }
}
