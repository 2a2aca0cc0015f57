import { beforeEach, describe, expect, test } from 'vitest'
import type { Context } from '@deepseek-ai/cordis'
import type { ToolOutcome } from 'dsh-tools'
import type { SubagentStopReason } from '../src/index.ts'
import { createSession, type FakeProvider, fakeProvider, mount, toolContext } from './harness.ts'

let ctx: Context

beforeEach(async () => {
  ctx = await mount()
})

const ARGS = { description: 'do one thing', prompt: 'do it' }

function execute(tool: string, args: object = ARGS): Promise<ToolOutcome> {
  const request = { name: tool, arguments: JSON.stringify(args) }
  return ctx.tools.execute(request, toolContext(createSession(ctx)))
}

function ending(stopReason: SubagentStopReason, output = 'partial'): FakeProvider {
  return fakeProvider('spawn', async () => ({ output, stopReason }))
}

describe.each([
  ['subagent', 'spawn'],
  ['subagent_fork', 'fork'],
])('%s', (tool, providerName) => {
  test(`delegates to "${providerName}" and answers with one text block`, async () => {
    const provider = fakeProvider(providerName)
    ctx.subagents.register(provider)
    const parent = createSession(ctx)
    const context = toolContext(parent)
    const request = { name: tool, arguments: JSON.stringify(ARGS) }
    expect(await ctx.tools.execute(request, context)).toEqual({
      content: [{ type: 'text', text: 'did do it' }],
    })
    const spawnedBy = { turn: 3, step: 4, call: 1, index: 0, callId: 'call_1' }
    expect(provider.requests).toEqual([
      { prompt: 'do it', parent, spawnedBy, signal: context.signal },
    ])
    expect(provider.disposed).toEqual(['do it'])
  })

  test('tells the model what the child knows and what comes back', () => {
    ctx.subagents.register(fakeProvider(providerName))
    const { description, kind, parallel, parameters } = ctx.tools.get(tool) ?? {}
    expect({ kind, parallel }).toEqual({ kind: 'other', parallel: undefined })
    expect(description).toMatch(/^Delegate a task to a child agent that starts with /)
    expect(description).toContain(
      providerName === 'spawn' ? 'an empty conversation' : 'a copy of this conversation',
    )
    expect(description).toMatch(/Returns the text of its last message\.$/)
    expect(parameters).toEqual({
      type: 'object',
      properties: {
        description: {
          type: 'string',
          minLength: 1,
          description: 'The task in 3 to 5 words, for display.',
        },
        prompt: { type: 'string', minLength: 1, description: 'The task for the child agent.' },
      },
      required: ['description', 'prompt'],
    })
  })

  test('is shown by its description, or by its name where there is none', () => {
    ctx.subagents.register(fakeProvider(providerName))
    const offered = ctx.tools.get(tool)
    expect(offered?.display?.(ARGS)).toEqual({ title: 'do one thing' })
    for (const args of [undefined, 'text', { description: 1, prompt: 'x' }, { prompt: 'x' }]) {
      expect(offered?.display?.(args)).toEqual({ title: tool })
    }
  })

  test.each([
    [{ prompt: 'x' }, 'description: Invalid input: expected string, received undefined'],
    [{ description: 'x' }, 'prompt: Invalid input: expected string, received undefined'],
    [{ description: 'x', prompt: '' }, 'prompt: Too small: expected string to have >=1 characters'],
  ])('refuses %j and starts nothing', async (args, problem) => {
    const provider = fakeProvider(providerName)
    ctx.subagents.register(provider)
    expect(await execute(tool, args)).toEqual({
      content: [{ type: 'text', text: `Error: invalid arguments for "${tool}": ${problem}` }],
      isError: true,
      error: { name: 'ToolError', code: 'INVALID_ARGS' },
    })
    expect(provider.requests).toEqual([])
  })
})

describe('a run that did not complete', () => {
  test.each<[SubagentStopReason, string, string]>([
    ['aborted', 'SUBAGENT_ABORTED', 'subagent run was cancelled'],
    ['error', 'SUBAGENT_FAILED', 'subagent run failed'],
    ['max-tokens', 'SUBAGENT_MAX_TOKENS', 'subagent run hit its token limit before finishing'],
  ])('as %s is an error result, and is disposed', async (reason, code, message) => {
    const provider = ending(reason)
    ctx.subagents.register(provider)
    expect(await execute('subagent')).toEqual({
      content: [{ type: 'text', text: `Error: ${message}` }],
      isError: true,
      error: { name: 'SubagentError', code },
    })
    expect(provider.disposed).toEqual(['do it'])
  })

  test('is disposed even where the provider breaks its promise and rejects', async () => {
    const provider = fakeProvider('spawn', async () => {
      throw new Error('broken provider')
    })
    ctx.subagents.register(provider)
    expect(await execute('subagent')).toEqual({
      content: [{ type: 'text', text: 'Error: broken provider' }],
      isError: true,
    })
    expect(provider.disposed).toEqual(['do it'])
  })
})

test('an answer without text is one empty text block', async () => {
  ctx.subagents.register(ending('completed', ''))
  expect(await execute('subagent')).toEqual({ content: [{ type: 'text', text: '' }] })
})

test('answers only once the child is disposed, and fails where that fails', async () => {
  ctx.subagents.register(
    fakeProvider('spawn', undefined, async () => {
      throw new Error('disk full')
    }),
  )
  expect(await execute('subagent')).toEqual({
    content: [{ type: 'text', text: 'Error: disk full' }],
    isError: true,
  })
})

test('at the limit of nesting says so to the model', async () => {
  ctx = await mount({ maxDepth: 0 })
  ctx.subagents.register(fakeProvider('spawn'))
  expect(await execute('subagent')).toMatchObject({
    content: [
      {
        text: 'Error: subagents may be nested 0 deep, and this agent is at depth 0; do the task without delegating it',
      },
    ],
    error: { name: 'SubagentError', code: 'SUBAGENT_DEPTH' },
  })
})
