import { Context } from '@deepseek-ai/cordis'
import { brandString, systemClock } from 'dsh-brand'
import * as tools from 'dsh-tools'
import type { Tool, ToolCallContext, ToolOutcome } from 'dsh-tools'
import { onTestFinished } from 'vitest'

/** A root with the plugin mounted. */
export async function mounted(): Promise<Context> {
  const ctx = new Context()
  await ctx.plugin(tools)
  onTestFinished(() => ctx.fiber.dispose())
  return ctx
}

export function toolNamed(name: string, execute: Tool['execute'] = () => never()): Tool {
  return {
    name,
    description: `does ${name}`,
    parameters: { type: 'object' },
    kind: 'other',
    execute,
  }
}

export function never(): Promise<ToolOutcome> {
  return Promise.reject(new Error('must not run'))
}

export function callContext(): ToolCallContext {
  const refuse = (): never => {
    throw new Error('the registry appends nothing')
  }
  const id = brandString<'SessionId'>('s')
  const { signal } = new AbortController()
  return {
    session: {
      id,
      cwd: '/',
      header: { type: 'session', version: 0, id, createdAt: 0 },
      events: [],
      append: refuse,
      history: refuse,
    },
    cwd: '/',
    turn: 1,
    step: 1,
    call: 0,
    callId: 'c',
    signal,
    clock: systemClock,
  }
}
