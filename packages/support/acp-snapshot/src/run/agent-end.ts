import type { Clock } from 'dsh-brand'
import type { AgentProcess } from './agent-process.ts'
import type { RunLimits } from './limits.ts'
import { settlesWithin } from './wait.ts'

/**
 * Ends an agent: first by the end of its stdin, then by SIGTERM, then by SIGKILL, each to the whole
 * group. An abort of `hurry` skips the first wait. Bounded, and final but for a process that the
 * system itself cannot end.
 * @returns whether the agent ended by itself
 */
export async function endAgent(
  agent: AgentProcess,
  clock: Clock,
  limits: RunLimits,
  hurry: AbortSignal,
): Promise<boolean> {
  agent.endInput()
  if (await settlesWithin(agent.exited, clock, limits.exitGraceMs, hurry)) return true
  agent.signalGroup('SIGTERM')
  if (!(await settlesWithin(agent.exited, clock, limits.termGraceMs))) {
    agent.signalGroup('SIGKILL')
    await settlesWithin(agent.exited, clock, limits.killWaitMs)
  }
  return false
}
