import { ToolError, type ToolOutcome } from 'dsh-tools'
import { expect, test } from 'vitest'
import { callContext, mounted, never, toolNamed } from './support.ts'

const answer = (text: string): ToolOutcome => ({ content: [{ type: 'text', text }] })

test('offers schemas by UTF-16 code unit of their names, whatever the order of registration', async () => {
  const { tools } = await mounted()
  for (const name of ['b', '_', 'a_b', 'B', 'a']) tools.register(toolNamed(name))
  expect(tools.schemas()).toEqual(
    ['B', '_', 'a', 'a_b', 'b'].map((name) => ({
      name,
      description: `does ${name}`,
      parameters: { type: 'object' },
    })),
  )
})

test('gives a tool by its name', async () => {
  const { tools } = await mounted()
  const tool = toolNamed('read')
  tools.register(tool)
  expect(tools.get('read')).toBe(tool)
  expect(tools.get('write')).toBeUndefined()
})

test('refuses a second tool of one name and keeps the first', async () => {
  const { tools } = await mounted()
  const first = toolNamed('read')
  tools.register(first)
  expect(() => tools.register(toolNamed('read'))).toThrow(
    expect.objectContaining({
      name: 'ToolError',
      code: 'DUPLICATE_TOOL',
      message: 'a tool named "read" is already registered; disable one of the two',
    }),
  )
  expect(tools.get('read')).toBe(first)
})

test('the disposer ends the offer, may be called again, and leaves a successor alone', async () => {
  const { tools } = await mounted()
  const dispose = tools.register(toolNamed('read'))
  dispose()
  expect(tools.schemas()).toEqual([])
  const second = toolNamed('read')
  tools.register(second)
  dispose()
  expect(tools.get('read')).toBe(second)
})

test("a plugin's tools go with the plugin", async () => {
  const ctx = await mounted()
  const fiber = await ctx.plugin({
    name: 'user',
    inject: ['tools'],
    apply: (inner: typeof ctx) => void inner.tools.register(toolNamed('read')),
  })
  expect(ctx.tools.get('read')).toBeDefined()
  await fiber.dispose()
  expect(ctx.tools.get('read')).toBeUndefined()
})

test('runs a tool with its parsed arguments and its context', async () => {
  const { tools } = await mounted()
  const calls: unknown[] = []
  const outcome = answer('done')
  tools.register(
    toolNamed('read', (...call) => {
      calls.push(call)
      return Promise.resolve(outcome)
    }),
  )
  const context = callContext()
  expect(await tools.execute({ name: 'read', arguments: '{"a":[1]}' }, context)).toBe(outcome)
  expect(calls).toEqual([[{ a: [1] }, context]])
})

test('takes empty arguments for an empty object', async () => {
  const { tools } = await mounted()
  tools.register(toolNamed('read', (args) => Promise.resolve(answer(JSON.stringify(args)))))
  expect(await tools.execute({ name: 'read', arguments: '' }, callContext())).toEqual(answer('{}'))
})

test.each(['{', ' ', '{"a":1}}', 'undefined'])(
  'arguments %j are INVALID_ARGS and do not reach the tool',
  async (text) => {
    const { tools } = await mounted()
    tools.register(toolNamed('read'))
    expect(await tools.execute({ name: 'read', arguments: text }, callContext())).toEqual({
      content: [{ type: 'text', text: 'Error: invalid arguments for "read": not valid JSON' }],
      isError: true,
      error: { name: 'ToolError', code: 'INVALID_ARGS' },
    })
  },
)

test('an unknown tool is UNKNOWN_TOOL, even with broken arguments, and the answer names what there is', async () => {
  const { tools } = await mounted()
  const request = { name: 'grep', arguments: '{' }
  const unknown = (available: string): ToolOutcome => ({
    content: [{ type: 'text', text: `Error: unknown tool "grep" (available: ${available})` }],
    isError: true,
    error: { name: 'ToolError', code: 'UNKNOWN_TOOL' },
  })
  expect(await tools.execute(request, callContext())).toEqual(unknown('none'))
  for (const name of ['write', 'read']) tools.register(toolNamed(name))
  expect(await tools.execute(request, callContext())).toEqual(unknown('read, write'))
})

test('what a tool throws becomes an outcome, thrown now or later', async () => {
  class FsError extends ToolError {}
  const { tools } = await mounted()
  tools.register(
    toolNamed('now', () => {
      throw new FsError('FS_GONE', 'gone')
    }),
  )
  tools.register(toolNamed('later', never))
  expect(await tools.execute({ name: 'now', arguments: '' }, callContext())).toEqual({
    content: [{ type: 'text', text: 'Error: gone' }],
    isError: true,
    error: { name: 'FsError', code: 'FS_GONE' },
  })
  expect(await tools.execute({ name: 'later', arguments: '' }, callContext())).toEqual({
    content: [{ type: 'text', text: 'Error: must not run' }],
    isError: true,
  })
})

test('a listener sees request and context, and may answer itself', async () => {
  const ctx = await mounted()
  ctx.tools.register(toolNamed('bash'))
  const seen: unknown[] = []
  ctx.on('tools/execute', (request, context) => {
    seen.push(request, context)
    return Promise.resolve(answer('recorded'))
  })
  const request = { name: 'bash', arguments: '{}' }
  const context = callContext()
  expect(await ctx.tools.execute(request, context)).toEqual(answer('recorded'))
  expect(seen).toEqual([request, context])
})

test('next() gives a listener the outcome of a failure and does not reject', async () => {
  const ctx = await mounted()
  ctx.tools.register(toolNamed('bash', never))
  const seen: ToolOutcome[] = []
  ctx.on('tools/execute', async (_request, _context, next) => {
    const outcome = await next()
    seen.push(outcome)
    return { ...outcome, meta: { seen: true } }
  })
  const outcome = await ctx.tools.execute({ name: 'bash', arguments: '' }, callContext())
  expect(seen).toEqual([
    { content: [{ type: 'text', text: 'Error: must not run' }], isError: true },
  ])
  expect(outcome.meta).toEqual({ seen: true })
})

test.each([
  [
    'at once',
    () => {
      throw new ToolError('POLICY', 'bash is disabled by policy in this session')
    },
  ],
  [
    'later',
    () => Promise.reject(new ToolError('POLICY', 'bash is disabled by policy in this session')),
  ],
])(
  'what a listener throws %s becomes an outcome, and the tool does not run',
  async (_when, listener) => {
    const ctx = await mounted()
    let ran = false
    ctx.tools.register(
      toolNamed('bash', () => {
        ran = true
        return never()
      }),
    )
    ctx.on('tools/execute', listener)
    expect(await ctx.tools.execute({ name: 'bash', arguments: '' }, callContext())).toEqual({
      content: [{ type: 'text', text: 'Error: bash is disabled by policy in this session' }],
      isError: true,
      error: { name: 'ToolError', code: 'POLICY' },
    })
    expect(ran).toBe(false)
  },
)
