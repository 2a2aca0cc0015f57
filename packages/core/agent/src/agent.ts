import type { Session, SessionStore } from 'dsh-session'
import { AgentError } from './error.ts'
import { type TurnContext, runTurn } from './turn.ts'
import { TurnAbort } from './turn-end.ts'
import type { Agent, PromptInput, TurnResult } from './types.ts'

/** What the service lends to an agent; the rest of a turn's context is the agent's own. */
export type AgentRuntime = Omit<
  TurnContext,
  'session' | 'signal' | 'drainSteering' | 'hasSteering'
> & {
  readonly sessions: SessionStore
  onDisposed(): void
}

/** The agent loop over one session. */
export class LoopAgent implements Agent {
  readonly session: Session
  private readonly runtime: AgentRuntime
  private readonly steering: PromptInput[] = []
  private turn: { readonly abort: AbortController; readonly done: Promise<TurnResult> } | undefined
  private disposal: Promise<void> | undefined

  constructor(session: Session, runtime: AgentRuntime) {
    this.session = session
    this.runtime = runtime
  }

  get busy(): boolean {
    return this.turn !== undefined
  }

  prompt(input: PromptInput): Promise<TurnResult> {
    const { id } = this.session
    if (this.disposal !== undefined) {
      return Promise.reject(new AgentError('DISPOSED', `the agent of session ${id} is disposed`))
    }
    if (this.turn !== undefined) {
      const message = `session ${id} is running a turn; cancel it or wait for its end`
      return Promise.reject(new AgentError('BUSY', message))
    }
    const abort = new AbortController()
    const done = this.run(input, abort.signal)
    this.turn = { abort, done }
    return done
  }

  steer(input: PromptInput): void {
    this.steering.push(input)
  }

  cancel(reason: string): void {
    this.turn?.abort.abort(new TurnAbort({ kind: 'aborted', reason }))
  }

  dispose(): Promise<void> {
    this.disposal ??= this.end()
    return this.disposal
  }

  private async run(input: PromptInput, signal: AbortSignal): Promise<TurnResult> {
    const { runtime, session, steering } = this
    try {
      const result = await runTurn(
        {
          ...runtime,
          session,
          signal,
          drainSteering: () => steering.splice(0),
          hasSteering: () => steering.length > 0,
        },
        input,
      )
      await runtime.sessions.flush(session)
      return result
    } finally {
      this.turn = undefined
    }
  }

  private async end(): Promise<void> {
    const { turn } = this
    turn?.abort.abort(new TurnAbort({ kind: 'disposed' }))
    // The caller of prompt gets the turn's failure; ending must go on regardless.
    await turn?.done.catch(() => undefined)
    this.runtime.onDisposed()
    await this.runtime.sessions.dispose(this.session)
  }
}
