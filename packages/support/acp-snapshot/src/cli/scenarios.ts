import { basename, resolve } from 'node:path'
import { messageOf } from 'dsh-brand'
import { resolveMode } from '../mode/resolve.ts'
import type { RequestedMode } from '../mode/types.ts'
import type { AgentCommand } from '../run/types.ts'
import { selectScenarios } from '../scenario/list.ts'
import { loadScenario } from '../scenario/load.ts'
import { refreshScenario } from '../tier/refresh.ts'
import { replayScenario } from '../tier/replay.ts'
import { renderVerdict, verdictJson } from '../verdict/render.ts'
import { type CommandContext, EXIT } from './host.ts'

export interface ScenariosRequest {
  readonly mode: Exclude<RequestedMode, 'record'>
  /** The folder that holds one folder per scenario. */
  readonly dir: string
  /** All where empty. */
  readonly names: readonly string[]
  readonly agent: AgentCommand
  readonly json: boolean
}

type Count = 'passed' | 'failed'

/** Replays or refreshes scenarios, a report each, and closes with the counts. */
export async function scenariosCommand(
  context: CommandContext,
  request: ScenariosRequest,
): Promise<number> {
  const dirs = await selectScenarios(resolve(context.cwd, request.dir), request.names)
  const counts: Record<Count, number> = { passed: 0, failed: 0 }
  for (const dir of dirs) {
    if (context.signal.aborted) break
    counts[await runOne(context, request, dir)] += 1
  }
  const { passed, failed } = counts
  if (!request.json) context.print(`${passed} passed, ${failed} failed, 0 skipped`)
  if (context.signal.aborted) return EXIT.interrupted
  return failed > 0 ? EXIT.failed : EXIT.passed
}

async function runOne(
  context: CommandContext,
  request: ScenariosRequest,
  dir: string,
): Promise<Count> {
  const name = basename(dir)
  try {
    const scenario = await loadScenario(dir)
    const effects = resolveMode({
      mode: request.mode,
      ci: isSet(context.env['CI']),
      keyPresent: isSet(context.env['DEEPSEEK_API_KEY']),
      source: scenario.input.source,
      out: 'none',
    })
    if (effects.kind !== 'run') {
      context.print(`✗ ${name}: ${effects.reason}`)
      return 'failed'
    }
    const tier = { agent: request.agent, signal: context.signal }
    const { verdict, written } =
      effects.write === 'nowhere'
        ? { ...(await replayScenario(scenario, tier)), written: [] }
        : await refreshScenario(scenario, tier)
    context.print(request.json ? verdictJson(verdict) : renderVerdict(verdict))
    if (written.length > 0) context.print(`  wrote ${written.join(', ')}`)
    return verdict.status
  } catch (error) {
    context.print(`✗ ${name}: ${messageOf(error)}`)
    return 'failed'
  }
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== 'false' && value !== '0'
}
