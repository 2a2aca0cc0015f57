import type { Context } from '@deepseek-ai/cordis'
import { type Agent, endOfAbort } from 'dsh-agent'
import type { TurnEndReason } from 'dsh-session'
import type { ProviderRequest, SubagentResult, SubagentRun, SubagentStopReason } from 'dsh-subagent'
import { lastText } from './last-text.ts'

/** How a child's turn ended, in a parent's terms. */
const STOP_REASONS: Readonly<Record<TurnEndReason['kind'], SubagentStopReason>> = {
  completed: 'completed',
  aborted: 'aborted',
  disposed: 'aborted',
  'max-tokens': 'max-tokens',
  error: 'error',
  rejected: 'error',
  interrupted: 'error',
}

/** One turn of a child agent that exists for it alone. */
export class InProcessRun implements SubagentRun {
  readonly id: string
  readonly result: Promise<SubagentResult>
  private readonly ctx: Context
  private readonly agent: Agent

  constructor(ctx: Context, agent: Agent, request: Pick<ProviderRequest, 'prompt' | 'signal'>) {
    this.ctx = ctx
    this.agent = agent
    this.id = agent.session.id
    this.result = this.work(request.prompt, request.signal)
  }

  dispose(): Promise<void> {
    return this.agent.dispose()
  }

  private async work(prompt: string, signal: AbortSignal): Promise<SubagentResult> {
    const { agent } = this
    const { session } = agent
    const inherited = session.events.length
    // The child ends as its parent does, so that the two logs tell one story.
    const cancel = (): void => {
      const end = endOfAbort(signal)
      agent.cancel((end.kind === 'aborted' ? end.reason : undefined) ?? 'cancelled by the parent')
    }
    signal.addEventListener('abort', cancel, { once: true })
    let stopReason: SubagentStopReason
    try {
      const { reason } = await agent.prompt({ content: [{ type: 'text', text: prompt }] })
      stopReason = STOP_REASONS[reason.kind]
    } catch (error) {
      // The result cannot say it, and a turn that failed in this way did not log it either.
      this.ctx.logger.error('the turn of the subagent %s failed: %s', session.id, error)
      stopReason = 'error'
    } finally {
      signal.removeEventListener('abort', cancel)
    }
    return { output: lastText(session.events.slice(inherited)), stopReason }
  }
}
