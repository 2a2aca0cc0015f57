import { join, resolve } from 'node:path'
import { messageOf } from 'dsh-brand'
import { SnapshotError } from '../error.ts'
import type { AgentCommand } from '../run/types.ts'
import { listScenarios } from '../scenario/list.ts'
import { conform } from '../tier/conformance.ts'
import { renderVerdict } from '../verdict/render.ts'
import { type CommandContext, EXIT } from './host.ts'

/** The recordings that the conformance run takes by default, below `$DSH_CORPUS_DIR`. */
const DEFAULT_RECORDINGS = 'dsh-2026-07'

/**
 * Replays every scenario folder of DIR, a line each, and closes with the counts. With several rounds
 * a difference that shows in any one of them is a failure: what is right only now and then is a race.
 * @returns the exit code: 1 on any failure, and where there was nothing to replay.
 */
export async function conformanceCommand(
  context: CommandContext,
  given: string | undefined,
  agent: AgentCommand,
  rounds: number,
): Promise<number> {
  const dir = recordingsDir(context, given)
  const names = await listScenarios(dir)
  const counts = { passed: 0, failed: 0 }
  const notices = new Set<string>()
  for (const { round, name } of plan(rounds, names)) {
    if (context.signal.aborted) break
    if (rounds > 1 && name === names[0]) context.print(`round ${round} of ${rounds}`)
    counts[await conformOne(context, join(dir, name), name, agent, notices)] += 1
  }
  const { passed, failed } = counts
  for (const notice of notices) context.print(`! ${notice}`)
  context.print(`${passed} passed, ${failed} failed, 0 skipped`)
  if (context.signal.aborted) return EXIT.interrupted
  return failed > 0 || passed === 0 ? EXIT.failed : EXIT.passed
}

function* plan(
  rounds: number,
  names: readonly string[],
): Generator<{ readonly round: number; readonly name: string }> {
  for (let round = 1; round <= rounds; round += 1) for (const name of names) yield { round, name }
}

function recordingsDir({ cwd, env }: CommandContext, given: string | undefined): string {
  if (given !== undefined) return resolve(cwd, given)
  const corpus = env['DSH_CORPUS_DIR']
  if (corpus !== undefined && corpus !== '') return join(resolve(cwd, corpus), DEFAULT_RECORDINGS)
  throw new SnapshotError(
    'BAD_USAGE',
    'no recordings given: name their folder, or set DSH_CORPUS_DIR to the folder that holds it',
  )
}

async function conformOne(
  context: CommandContext,
  dir: string,
  name: string,
  agent: AgentCommand,
  notices: Set<string>,
): Promise<'passed' | 'failed'> {
  try {
    const verdict = await conform(dir, { agent, signal: context.signal })
    context.print(renderVerdict(verdict, { colour: context.colour }))
    for (const notice of verdict.notices) notices.add(notice)
    return verdict.status
  } catch (error) {
    context.print(`✗ ${name}: ${messageOf(error)}`)
    return 'failed'
  }
}
