import type { Context } from '@deepseek-ai/cordis'
import type { Session, SessionId } from 'dsh-session'
import { Lanes } from './lanes.ts'
import { loadSessionScripts } from './load.ts'
import { Policies } from './policies.ts'
import { noReport, openReport } from './report.ts'
import { RequestCheck } from './requests/check.ts'
import { answerTool } from './tools.ts'
import type { ReplayConfig } from './types.ts'

/**
 * Makes a context answer every model call from recorded sessions, by one `llm/stream` listener that
 * never asks the next, and gives sessions their lanes as they are created. Lasts until the returned function is called (any number of times) or the
 * context is disposed; then the report gets its last records and is closed.
 * @throws ReplayError when a fixture cannot be read whole or the report cannot be written
 */
export function installLlmReplay(ctx: Context, config: ReplayConfig): () => void {
  const scripts = loadSessionScripts(config)
  const dispose = ctx.effect(() => mount(ctx, config, scripts), 'llm-replay')
  return () => void dispose()
}

function mount(
  ctx: Context,
  config: ReplayConfig,
  scripts: ReturnType<typeof loadSessionScripts>,
): () => void {
  const report = config.reportFile === undefined ? noReport : openReport(config.reportFile)
  // The store is optional: without it a call has no cwd and no log, and is served as recorded.
  const findSession = (id: string): Session | undefined => ctx.get('sessions')?.get(id as SessionId)
  const policies = new Policies(ctx, config.tools ?? {})
  const requests =
    config.requests === 'strict'
      ? new RequestCheck(config.reportFile === undefined ? undefined : report, config.normalise)
      : undefined
  const lanes = new Lanes(scripts, report, findSession, policies, requests)
  const listeners = [
    ctx.on('llm/stream', (options) => lanes.stream(options)),
    // The wait is not part of what is tested, and the attempt after it is in the recording.
    ctx.on('llm/retry-delay', () => Promise.resolve()),
    // Sessions that are older than the replay get theirs when they call.
    ctx.on('session/created', (session) => lanes.created(session)),
  ]
  if (Object.keys(config.tools ?? {}).length > 0) {
    listeners.push(
      ctx.on('tools/execute', (request, context, next) => {
        const outcome = answerTool(lanes, policies, request, context)
        return outcome === undefined ? next() : Promise.resolve(outcome)
      }),
    )
  }
  return () => {
    for (const remove of listeners) remove()
    try {
      lanes.dispose()
    } finally {
      report.close()
    }
  }
}
