import { resolve } from 'node:path'
import { SnapshotError } from '../error.ts'
import type { RequestedMode } from '../mode/types.ts'
import { selectScenarios } from '../scenario/list.ts'
import type { CommandProject } from './project.ts'
import { type CommandContext, EXIT } from './host.ts'
import { inOrder } from './in-order.ts'
import { oneScenario, type OneResult } from './one-scenario.ts'
import { once } from './once.ts'
import { outPlace } from './out-place.ts'
import { type RedName, summaryLines } from './summary.ts'

export interface ScenariosRequest {
  readonly mode: RequestedMode
  /** All where empty. */
  readonly names: readonly string[]
  readonly project: CommandProject
  readonly json: boolean
  /** Where whole copies are written instead. */
  readonly out?: string
}

/**
 * Replays, records or refreshes scenarios, several at a time; reports in the order of their names
 * and closes with the counts.
 */
export async function scenariosCommand(
  context: CommandContext,
  request: ScenariosRequest,
): Promise<number> {
  const { cwd, env, signal } = context
  const { mode, json, project } = request
  const { agent, dir: root, workers, invocation } = project
  const tier = { ...project.tier, agent, signal, invocation }
  const out = request.out === undefined ? undefined : resolve(cwd, request.out)
  const place = await outPlace(out, root)
  const dirs = (await selectScenarios(root, request.names)).sort()
  // A green run of nothing is what a slip in --dir would give.
  if (dirs.length === 0)
    throw new SnapshotError('BAD_SCENARIO', `there are no scenarios in ${root}`)
  const counts: Record<OneResult['status'], number> = { passed: 0, failed: 0, skipped: 0 }
  const colour = context.colour && !json
  const reds: RedName[] = []
  const said = new Map<string, string>()
  const notices = new Set<string>()
  await inOrder(
    dirs,
    workers,
    (dir) => oneScenario({ mode, json, out, outPlace: place, env, tier, invocation, colour }, dir),
    (result) => {
      counts[result.status] += 1
      if (result.status === 'failed') reds.push(result)
      for (const notice of result.notices ?? []) notices.add(notice)
      for (const line of json ? result.lines : once(said, result)) context.print(line)
    },
    signal,
  )
  const { passed, failed, skipped } = counts
  // After an interruption a red says nothing of the scenario.
  if (!json && !signal.aborted)
    for (const line of summaryLines(reds, invocation)) context.print(line)
  if (!json) for (const notice of notices) context.print(`! ${notice}`)
  if (!json) context.print(`${passed} passed, ${failed} failed, ${skipped} skipped`)
  if (signal.aborted) return EXIT.interrupted
  return failed > 0 ? EXIT.failed : EXIT.passed
}
