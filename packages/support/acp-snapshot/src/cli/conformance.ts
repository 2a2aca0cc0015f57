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
 * Replays every scenario folder of DIR, a line each, and closes with the counts.
 * @returns the exit code: 1 on any failure, and where there was nothing to replay.
 */
export async function conformanceCommand(
  context: CommandContext,
  given: string | undefined,
  agent: AgentCommand,
): Promise<number> {
  const dir = recordingsDir(context, given)
  const counts = { passed: 0, failed: 0 }
  const notices = new Set<string>()
  for (const name of await namesIn(dir)) {
    if (context.signal.aborted) break
    counts[await conformOne(context, join(dir, name), name, agent, notices)] += 1
  }
  const { passed, failed } = counts
  for (const notice of notices) context.print(`! ${notice}`)
  context.print(`${passed} passed, ${failed} failed, 0 skipped`)
  if (context.signal.aborted) return EXIT.interrupted
  return failed > 0 || passed === 0 ? EXIT.failed : EXIT.passed
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

async function namesIn(dir: string): Promise<string[]> {
  try {
    return await listScenarios(dir)
  } catch (cause) {
    throw new SnapshotError('BAD_USAGE', `cannot list ${dir}: ${messageOf(cause)}`, { cause })
  }
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
    context.print(renderVerdict(verdict))
    for (const notice of verdict.notices) notices.add(notice)
    return verdict.status
  } catch (error) {
    context.print(`✗ ${name}: ${messageOf(error)}`)
    return 'failed'
  }
}
