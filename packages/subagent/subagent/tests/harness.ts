import { Context } from '@deepseek-ai/cordis'
import { systemClock } from 'dsh-brand'
import * as session from 'dsh-session'
import type { CreateSessionOptions, Session } from 'dsh-session'
import * as tools from 'dsh-tools'
import type { ToolCallContext } from 'dsh-tools'
import * as subagent from '../src/index.ts'
import type {
  Config,
  ProviderRequest,
  SubagentProvider,
  SubagentRequest,
  SubagentResult,
} from '../src/index.ts'

export async function mount(config?: Config): Promise<Context> {
  const ctx = new Context()
  await ctx.plugin(session)
  await ctx.plugin(tools)
  await ctx.plugin(subagent, config ?? {})
  return ctx
}

export function createSession(ctx: Context, options: Partial<CreateSessionOptions> = {}): Session {
  return ctx.sessions.create({ cwd: '/w', ...options })
}

export interface FakeProvider extends SubagentProvider {
  readonly requests: ProviderRequest[]
  /** Runs that were disposed, by id. */
  readonly disposed: string[]
}

/** A provider whose runs end as told; the request's prompt names the run. */
export function fakeProvider(
  name: string,
  end: (request: ProviderRequest) => Promise<SubagentResult> = async ({ prompt }) => ({
    output: `did ${prompt}`,
    stopReason: 'completed',
  }),
  dispose: () => Promise<void> = async () => undefined,
): FakeProvider {
  const requests: ProviderRequest[] = []
  const disposed: string[] = []
  return {
    name,
    requests,
    disposed,
    start: (request) => {
      requests.push(request)
      return {
        id: request.prompt,
        result: end(request),
        dispose: () => {
          disposed.push(request.prompt)
          return dispose()
        },
      }
    },
  }
}

export function requestOf(parent: Session, rest: Partial<SubagentRequest> = {}): SubagentRequest {
  return {
    prompt: 'p',
    parent,
    origin: { turn: 1, step: 2, call: 0, callId: 'call_0' },
    signal: new AbortController().signal,
    ...rest,
  }
}

export function toolContext(
  parent: Session,
  signal: AbortSignal = new AbortController().signal,
): ToolCallContext {
  return {
    session: parent,
    cwd: parent.cwd,
    turn: 3,
    step: 4,
    call: 1,
    callId: 'call_1',
    signal,
    clock: systemClock,
  }
}
