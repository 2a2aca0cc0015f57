import type { Context } from '@deepseek-ai/cordis'
import type { Session } from 'dsh-session'
import { installLlmReplay, type ReplayConfig, type ReportRecord } from '../../src/index.ts'
import { testContext } from './agent.ts'
import { type Call, events, header, logText, readReport, sid, type tempFolder } from './log.ts'

let count = 0

export interface Scenario {
  readonly ctx: Context
  readonly files: readonly string[]
  readonly dispose: () => void
  /** What the report holds so far. */
  report(): ReportRecord[]
  /** Its records of one kind. */
  reported<E extends ReportRecord['event']>(event: E): Extract<ReportRecord, { event: E }>[]
}

/** Installs a replay of the given sessions: the primary, then its children. */
export async function scenario(
  folder: ReturnType<typeof tempFolder>,
  sessions: readonly (readonly Call[])[],
  options: Partial<ReplayConfig> & { live?: readonly Session[] } = {},
): Promise<Scenario> {
  const { live, ...config } = options
  const run = count++
  const files = sessions.map((calls, at) => {
    const head =
      at === 0
        ? header()
        : header({ id: sid(`child-${at}`), parentSession: sid('primary'), createdAt: at })
    return folder.write(`${run}.${at}.jsonl`, logText(head, events(calls)))
  })
  const [file = '', ...childFiles] = files
  const reportFile = folder.path(`${run}.report.jsonl`)
  const ctx = await testContext(live)
  const dispose = installLlmReplay(ctx, { file, childFiles, reportFile, ...config })
  const report = (): ReportRecord[] => readReport(reportFile)
  return {
    ctx,
    files,
    dispose,
    report,
    reported: (event) => report().filter((record) => record.event === event) as never,
  }
}
