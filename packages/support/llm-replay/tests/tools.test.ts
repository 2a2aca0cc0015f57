import { Context } from '@deepseek-ai/cordis'
import type { ToolCallContext, ToolOutcome } from 'dsh-tools'
import { describe, expect, it, vi } from 'vitest'
import { installLlmReplay, type ReplayConfig } from '../src/index.ts'
import { call, collect, liveSession, testContext } from './helpers/agent.ts'
import { event, events, header, logText, readReport, steps, tempFolder } from './helpers/log.ts'

const folder = tempFolder()
const session = liveSession('P')
const file = folder.write(
  'tools.jsonl',
  logText(header(), [
    ...events(steps('a')),
    event(5, 'tool/call', {
      turn: 1,
      step: 1,
      callId: 'c',
      name: 'bash',
      arguments: '{"command":"ls /rec/cwd"}',
    }),
    event(6, 'tool/result', {
      turn: 1,
      step: 1,
      callId: 'c',
      isError: false,
      content: [{ type: 'text', text: '/rec/cwd/a {{cwd}}/b' }],
      meta: { paths: ['/rec/cwd/a', 1, null], '/rec/cwd': true },
    }),
    event(7, 'tool/call', { turn: 1, step: 1, callId: 'd', name: 'bash', arguments: '{}' }),
    event(8, 'tool/result', {
      turn: 1,
      step: 1,
      callId: 'd',
      isError: true,
      content: [],
      error: { name: 'E', code: 'C' },
    }),
    event(9, 'tool/call', { turn: 1, step: 1, callId: 'e', name: 'bash', arguments: '' }),
    event(10, 'tool/call', { turn: 1, step: 1, callId: 'f', name: 'bash', arguments: '' }),
    event(11, 'tool/result', { turn: 1, step: 1, callId: 'f', content: 'unknown shape' }),
  ]),
)

let count = 0
async function setUp(tools: NonNullable<ReplayConfig['tools']>, called = true) {
  const ctx = await testContext([session], ['bash', 'edit', 'read'])
  const reportFile = folder.path(`${count++}.report`)
  installLlmReplay(ctx, { file, reportFile, tools })
  if (called) await collect(call(ctx, 'P'))
  const ran: ToolOutcome = { content: [{ type: 'text', text: 'ran' }] }
  const run = vi.fn<() => Promise<ToolOutcome>>(() => Promise.resolve(ran))
  const execute = (
    at: Partial<ToolCallContext>,
    args: string,
    name = 'bash',
  ): Promise<ToolOutcome> => {
    const context = { session, cwd: session.cwd, turn: 1, step: 1, call: 0, callId: 'live', ...at }
    return ctx.waterfall(
      'tools/execute',
      { name, arguments: args },
      context as ToolCallContext,
      run,
    )
  }
  const refused = () => readReport(reportFile).filter((record) => record.event === 'refused')
  return { execute, run, refused, ran }
}

function failure(message: string, code: string): ToolOutcome {
  return {
    content: [{ type: 'text', text: `Error: llm-replay: ${message}` }],
    isError: true,
    error: { name: 'ReplayError', code },
  }
}

describe('tools in replay', () => {
  it('run unless a policy says otherwise', async () => {
    const { execute, run, ran, refused } = await setUp({ bash: 'run', edit: 'refuse' })
    expect(await execute({}, '{}')).toBe(ran)
    expect(await execute({}, '{}', 'toString')).toBe(ran)
    expect(run).toHaveBeenCalledTimes(2)
    expect(refused()).toEqual([])
  })

  it('serve what was recorded, with the live cwd', async () => {
    const { execute, run, refused } = await setUp({ bash: 'recorded' })
    expect(await execute({}, '{"command":"ls /live/cwd"}')).toStrictEqual({
      content: [{ type: 'text', text: '/live/cwd/a /live/cwd/b' }],
      meta: { paths: ['/live/cwd/a', 1, null], '/rec/cwd': true },
    })
    expect(await execute({ call: 1 }, '{}')).toStrictEqual({
      content: [],
      isError: true,
      error: { name: 'E', code: 'C' },
    })
    expect(run).not.toHaveBeenCalled()
    expect(refused()).toEqual([])
  })

  it('case R7: refuse, in the report and to the model', async () => {
    const { execute, run, refused } = await setUp({ bash: 'refuse' })
    const message = 'tool call 2 ("bash") of step 3/4 in session P: the scenario refuses this tool'
    expect(await execute({ turn: 3, step: 4, call: 2 }, '{}')).toEqual(
      failure(message, 'TOOL_REFUSED'),
    )
    expect(run).not.toHaveBeenCalled()
    expect(refused()).toEqual([
      {
        event: 'refused',
        code: 'TOOL_REFUSED',
        message: `llm-replay: ${message}`,
        lane: 0,
        session: 'P',
      },
    ])
  })

  it.each([
    ['another turn', { turn: 2 }, `lane 0 (${file}) holds no tool call there`],
    ['another step', { step: 2 }, `lane 0 (${file}) holds no tool call there`],
    ['another position', { call: 4 }, `lane 0 (${file}) holds no tool call there`],
    ['a call without result', { call: 2 }, `lane 0 (${file}) holds no result of this call`],
    ['a result of unknown shape', { call: 3 }, `lane 0 (${file}) holds no result of this call`],
  ])('case R8: fail for %s', async (_, at, problem) => {
    const { execute, refused } = await setUp({ bash: 'recorded' })
    const { content, error } = await execute(at, '')
    expect(error).toEqual({ name: 'ReplayError', code: 'TOOL_NOT_RECORDED' })
    expect(content).toEqual([
      { type: 'text', text: expect.stringContaining(`in session P: ${problem}`) },
    ])
    expect(refused()).toMatchObject([{ code: 'TOOL_NOT_RECORDED', lane: 0, session: 'P' }])
  })

  it.each([
    ['other arguments', 'bash', '{"command":"ls /rec/cwd"}'],
    ['another tool', 'read', '{"command":"ls /live/cwd"}'],
  ])('case R5: fail for %s, showing both', async (_, name, args) => {
    const { execute, refused } = await setUp({ bash: 'recorded', read: 'recorded' })
    const message =
      `tool call 0 ("${name}") of step 1/1 in session P: lane 0 (${file}) holds bash ` +
      `"{\\"command\\":\\"ls /live/cwd\\"}", and ${name} ${JSON.stringify(args)} came`
    expect(await execute({}, args, name)).toEqual(failure(message, 'TOOL_ARGUMENTS_DIFFER'))
    expect(refused()).toMatchObject([{ code: 'TOOL_ARGUMENTS_DIFFER', lane: 0 }])
  })

  it('fail in a session that has no lane', async () => {
    const { execute, refused } = await setUp({ bash: 'recorded' }, false)
    expect(await execute({}, '{}')).toEqual(
      failure(
        'tool call 0 ("bash") of step 1/1 in session P: the session has no lane, since it made no model call',
        'TOOL_NOT_RECORDED',
      ),
    )
    expect(refused()[0]).not.toHaveProperty('lane')
  })
})

it('needs no tools service to be installed', () => {
  expect(() => installLlmReplay(new Context(), { file, tools: { bash: 'refuse' } })).not.toThrow()
})

describe('case R9: a policy for a tool that the agent does not offer', () => {
  const message =
    'llm-replay: the scenario has a policy for a tool that the agent does not offer: ' +
    '"bsh", did you mean "bash"? It has bash, edit, read. ' +
    'Correct the name in "tools" of input.json, or remove it.'

  it('is refused at the first model call', async () => {
    const ctx = await testContext([session], ['bash', 'edit', 'read'])
    const reportFile = folder.path('misspelt.report')
    installLlmReplay(ctx, { file, reportFile, tools: { bsh: 'refuse', edit: 'run' } })
    await expect(collect(call(ctx, 'P'))).rejects.toThrow(message)
    expect(readReport(reportFile).filter((record) => record.event === 'refused')).toEqual([
      { event: 'refused', code: 'TOOL_NOT_OFFERED', message, session: 'P' },
    ])
  })

  it('is refused at a tool call, whatever tool that is', async () => {
    const { execute, run, refused } = await setUp({ bsh: 'refuse' }, false)
    expect((await execute({}, '{}')).error?.code).toBe('TOOL_NOT_OFFERED')
    expect(run).not.toHaveBeenCalled()
    expect(refused()).toMatchObject([{ code: 'TOOL_NOT_OFFERED', session: 'P' }])
  })

  it('is none where the call itself offers the tool, and is not looked for again', async () => {
    const ctx = await testContext([session])
    installLlmReplay(ctx, { file, tools: { bash: 'refuse' } })
    const tools = [{ name: 'bash', description: '', parameters: {} }]
    expect(await collect(call(ctx, 'P', { tools }))).toHaveLength(5)
    await expect(collect(call(ctx, 'P'))).rejects.toThrow('script exhausted')
  })

  it('says that there are no tools, and names every stranger', async () => {
    const ctx = await testContext([session])
    installLlmReplay(ctx, { file, tools: { a: 'run', b: 'run' } })
    await expect(collect(call(ctx, 'P'))).rejects.toThrow(
      'does not offer: "a", "b". It has no tools. Correct the name',
    )
  })
})
