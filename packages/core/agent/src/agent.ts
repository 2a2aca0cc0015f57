import type { Session, SessionStore } from 'dsh-session'
import { AgentError } from './error.ts'
import type { TurnContext } from './turn-context.ts'
import { runTurn } from './turn.ts'
import { TurnAbort } from './turn-end.ts'
import type { Agent, PromptInput, TurnResult } from './types.ts'

/** What the service lends to an agent; the rest of a turn's context is the agent's own. */
export type AgentRuntime = Omit<
  TurnContext,
  'session' | 'signal' | 'drainSteering' | 'hasSteering'
> & {
  readonly sessions: SessionStore
  readonly model: string
  /** Disposes the agents of the child sessions that there are now. Never rejects. */
  disposeChildren(): Promise<void>
  onDisposed(): void
}

/** How many messages may wait for the next step boundary. */
const MAX_STEERING = 1_000

/** The agent loop over one session. */
export class LoopAgent implements Agent {
  readonly session: Session
  private readonly runtime: AgentRuntime
  private readonly steering: PromptInput[] = []
  private abort: AbortController | undefined
  private turn: Promise<TurnResult> | undefined
  private disposal: Promise<void> | undefined

  constructor(session: Session, runtime: AgentRuntime) {
    this.session = session
    this.runtime = runtime
  }

  get model(): string {
    return this.runtime.model
  }

  get busy(): boolean {
    return this.abort !== undefined
  }

  prompt(input: PromptInput): Promise<TurnResult> {
    if (this.disposal !== undefined) return Promise.reject(this.disposed())
    if (this.busy) {
      const message = `session ${this.session.id} is running a turn; cancel it or wait for its end`
      return Promise.reject(new AgentError('BUSY', message))
    }
    // Set before the turn runs: it begins at once, and its observers may cancel it.
    this.abort = new AbortController()
    this.turn = this.run(input, this.abort.signal)
    return this.turn
  }

  steer(input: PromptInput): void {
    if (this.disposal !== undefined) throw this.disposed()
    if (this.steering.length >= MAX_STEERING) {
      const message = `session ${this.session.id} has ${MAX_STEERING} messages waiting to be steered in; none more is taken before a step takes them`
      throw new AgentError('STEERING_FULL', message)
    }
    this.steering.push(input)
  }

  cancel(reason: string): void {
    this.abort?.abort(new TurnAbort({ kind: 'aborted', reason }))
  }

  dispose(): Promise<void> {
    this.disposal ??= this.end()
    return this.disposal
  }

  private disposed(): AgentError {
    return new AgentError('DISPOSED', `the agent of session ${this.session.id} is disposed`)
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
      this.abort = undefined
    }
  }

  private async end(): Promise<void> {
    // Before the turn's own signal, which would end them as cancelled; not awaited before it either,
    // since a child may wait for this turn.
    const children = this.runtime.disposeChildren()
    this.abort?.abort(new TurnAbort({ kind: 'disposed' }))
    // The caller of prompt gets the turn's failure; ending must go on regardless.
    await this.turn?.catch(() => undefined)
    await children
    // Those that the turn started on its way out.
    await this.runtime.disposeChildren()
    this.runtime.onDisposed()
    await this.runtime.sessions.dispose(this.session)
  }
}
