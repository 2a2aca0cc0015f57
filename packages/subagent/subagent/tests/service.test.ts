import { describe, expect, test } from 'vitest'
import * as plugin from '../src/index.ts'
import { SubagentError } from '../src/index.ts'
import { createSession, fakeProvider, mount, requestOf } from './harness.ts'

describe('the plugin', () => {
  test('exports its shape and no default', () => {
    expect(plugin.name).toBe('subagent')
    expect(plugin.inject).toEqual(['sessions', 'tools'])
    expect(plugin).not.toHaveProperty('default')
  })

  test('takes a depth, or nothing', () => {
    expect(plugin.Config.parse(undefined)).toEqual({})
    expect(plugin.Config.parse({ maxDepth: 0 })).toEqual({ maxDepth: 0 })
    for (const config of [{ maxDepth: -1 }, { maxDepth: 1.5 }, { depth: 1 }]) {
      expect(() => plugin.Config.parse(config)).toThrow()
    }
  })
})

describe('register', () => {
  test('offers a provider until it is withdrawn', async () => {
    const ctx = await mount()
    const withdraw = ctx.subagents.register(fakeProvider('acp'))
    const parent = createSession(ctx)
    expect(ctx.subagents.start('acp', requestOf(parent)).id).toBe('p')
    withdraw()
    withdraw()
    expect(() => ctx.subagents.start('acp', requestOf(parent))).toThrow(
      expect.objectContaining({
        name: 'SubagentError',
        code: 'UNKNOWN_PROVIDER',
        message:
          'no subagent provider is named "acp" (registered: none); mount the plugin that has it',
      }),
    )
  })

  test('offers it until the plugin that registered it is disposed', async () => {
    const ctx = await mount()
    const fiber = await ctx.plugin({
      name: 'p',
      inject: ['subagents'],
      apply: (own: typeof ctx) => void own.subagents.register(fakeProvider('spawn')),
    })
    expect(ctx.tools.get('subagent')).toBeDefined()
    await fiber.dispose()
    expect(ctx.tools.get('subagent')).toBeUndefined()
    expect(() => ctx.subagents.start('spawn', requestOf(createSession(ctx)))).toThrow(SubagentError)
  })

  test('refuses a second of the same name, and keeps the first', async () => {
    const ctx = await mount()
    const first = fakeProvider('spawn')
    ctx.subagents.register(first)
    expect(() => ctx.subagents.register(fakeProvider('spawn'))).toThrow(
      expect.objectContaining({
        code: 'DUPLICATE_PROVIDER',
        message: 'a subagent provider named "spawn" is already registered; disable one of the two',
      }),
    )
    ctx.subagents.start('spawn', requestOf(createSession(ctx)))
    expect(first.requests).toHaveLength(1)
  })

  test('offers the tool of a provider only while the provider is there', async () => {
    const ctx = await mount()
    const offered = (): string[] => ctx.tools.schemas().map(({ name }) => name)
    expect(offered()).toEqual([])
    ctx.subagents.register(fakeProvider('fork'))
    const withdraw = ctx.subagents.register(fakeProvider('spawn'))
    ctx.subagents.register(fakeProvider('toString'))
    expect(offered()).toEqual(['subagent', 'subagent_fork'])
    withdraw()
    expect(offered()).toEqual(['subagent_fork'])
    ctx.subagents.register(fakeProvider('spawn'))
    expect(offered()).toEqual(['subagent', 'subagent_fork'])
  })

  test('leaves nothing behind where the name of its tool is taken', async () => {
    const ctx = await mount()
    const tool = {
      name: 'subagent',
      description: '',
      parameters: { type: 'object' },
      kind: 'other',
      execute: async () => ({ content: [] }),
    } as const
    const remove = ctx.tools.register(tool)
    expect(() => ctx.subagents.register(fakeProvider('spawn'))).toThrow(
      expect.objectContaining({ code: 'DUPLICATE_TOOL' }),
    )
    remove()
    ctx.subagents.register(fakeProvider('spawn'))
    expect(ctx.tools.get('subagent')).toBeDefined()
  })
})

describe('start', () => {
  test('asks the provider of that name, with the place of the child', async () => {
    const ctx = await mount()
    const [spawn, fork] = [fakeProvider('spawn'), fakeProvider('fork')]
    ctx.subagents.register(spawn)
    ctx.subagents.register(fork)
    const parent = createSession(ctx)
    const { signal } = new AbortController()
    const run = ctx.subagents.start('fork', requestOf(parent, { prompt: 'x', signal }))
    await expect(run.result).resolves.toEqual({ output: 'did x', stopReason: 'completed' })
    expect(spawn.requests).toEqual([])
    const spawnedBy = { turn: 1, step: 2, call: 0, index: 0, callId: 'call_0' }
    expect(fork.requests).toEqual([{ prompt: 'x', parent, spawnedBy, signal }])
    expect(fork.requests[0]?.signal).toBe(signal)
  })

  test('counts the children of one call over all providers', async () => {
    const ctx = await mount()
    const [spawn, fork] = [fakeProvider('spawn'), fakeProvider('fork')]
    ctx.subagents.register(spawn)
    ctx.subagents.register(fork)
    const parent = createSession(ctx)
    for (const name of ['spawn', 'fork', 'spawn']) ctx.subagents.start(name, requestOf(parent))
    const indices = (provider: typeof spawn): number[] =>
      provider.requests.map(({ spawnedBy }) => spawnedBy.index)
    expect([indices(spawn), indices(fork)]).toEqual([[0, 2], [1]])
  })

  test('names the providers that there are', async () => {
    const ctx = await mount()
    ctx.subagents.register(fakeProvider('spawn'))
    ctx.subagents.register(fakeProvider('fork'))
    expect(() => ctx.subagents.start('spwan', requestOf(createSession(ctx)))).toThrow(
      'no subagent provider is named "spwan" (registered: fork, spawn)',
    )
  })

  test.each([
    [undefined, 3],
    [{ maxDepth: 1 }, 1],
    [{ maxDepth: 0 }, 0],
  ])('with %j lets children be nested %i deep', async (config, limit) => {
    const ctx = await mount(config)
    const provider = fakeProvider('spawn')
    ctx.subagents.register(provider)
    let parent = createSession(ctx)
    for (let depth = 0; depth < limit; depth += 1) {
      ctx.subagents.start('spawn', requestOf(parent))
      parent = createSession(ctx, { parentSession: parent.id })
    }
    expect(() => ctx.subagents.start('spawn', requestOf(parent))).toThrow(
      expect.objectContaining({
        name: 'SubagentError',
        code: 'SUBAGENT_DEPTH',
        message: `subagents may be nested ${limit} deep, and this agent is at depth ${limit}; do the task without delegating it`,
      }),
    )
    expect(provider.requests).toHaveLength(limit)
  })

  test('starts nothing once the signal has aborted, and takes no place', async () => {
    const ctx = await mount()
    const provider = fakeProvider('spawn')
    ctx.subagents.register(provider)
    const parent = createSession(ctx)
    expect(() =>
      ctx.subagents.start('spawn', requestOf(parent, { signal: AbortSignal.abort() })),
    ).toThrow(
      expect.objectContaining({
        code: 'SUBAGENT_ABORTED',
        message: 'subagent run was cancelled',
      }),
    )
    ctx.subagents.start('spawn', requestOf(parent))
    expect(provider.requests.map(({ spawnedBy }) => spawnedBy.index)).toEqual([0])
  })
})
