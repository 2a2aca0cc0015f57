import type { Clock } from 'dsh-brand'
import { SnapshotError } from '../error.ts'
import type { Step } from '../scenario/types.ts'
import type { AgentHost } from './agent-host.ts'
import type { HangGate } from './hang-gate.ts'
import type { RunLimits } from './limits.ts'
import type { Sessions } from './sessions.ts'
import type { RunStop } from './stop.ts'

/** What the steps of a script work on. */
export interface ScriptContext {
  readonly host: AgentHost
  readonly stop: RunStop
  readonly sessions: Sessions
  readonly cwd: string
  readonly hangs: HangGate
  readonly clock: Clock
  readonly limits: RunLimits
}

/** A step that did not do what the script says. Never leaves the run: it becomes its fault. */
export class StepError extends SnapshotError {
  constructor(message: string) {
    super('STEP_FAILED', message)
  }
}

export type StepOf<Op extends Step['op']> = Extract<Step, { readonly op: Op }>

/** @throws StepError before the first session */
export function newestSession(context: ScriptContext): string {
  const id = context.sessions.newest
  if (id === undefined) throw new StepError('there is no session; a newSession must come before')
  return id
}
