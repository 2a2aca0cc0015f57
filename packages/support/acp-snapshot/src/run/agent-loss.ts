import type { Clock } from 'dsh-brand'
import type { AgentProcess, Exit } from './agent-process.ts'
import { settlesWithin } from './wait.ts'

/** Why an agent can serve no more. */
export type Loss =
  | { readonly kind: 'exited'; readonly exit: Exit }
  | { readonly kind: 'closed'; readonly stream: 'stdin' | 'stdout' }

/**
 * Resolves once the agent can serve no more. A process that dies lets go of its pipes and exits in
 * any order, and what it said last may still be on its way: the rest gets `settleMs`, so that the
 * cause is named and no answer is lost.
 */
export async function agentLoss(
  agent: Pick<AgentProcess, 'exited' | 'stdoutEnded' | 'stdinBroken'>,
  clock: Clock,
  settleMs: number,
): Promise<Loss> {
  const exited = agent.exited.then((exit): Loss => ({ kind: 'exited', exit }))
  const first = await Promise.race([
    exited,
    agent.stdoutEnded.then((): Loss => ({ kind: 'closed', stream: 'stdout' })),
    agent.stdinBroken.then((): Loss => ({ kind: 'closed', stream: 'stdin' })),
  ])
  await settlesWithin(Promise.all([agent.exited, agent.stdoutEnded]), clock, settleMs)
  return Promise.race([exited, Promise.resolve(first)])
}
