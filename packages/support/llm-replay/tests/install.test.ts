import { existsSync } from 'node:fs'
import { LlmError } from 'dsh-llm'
import { describe, expect, it, vi } from 'vitest'
import { installLlmReplay } from '../src/index.ts'
import { call, collect, liveSession, rejection, testContext } from './helpers/agent.ts'
import { answer, events, header, logText, sid, steps, tempFolder, textOf } from './helpers/log.ts'
import { scenario } from './helpers/scenario.ts'

const folder = tempFolder()

describe('installLlmReplay', () => {
  it('never asks the next listener or an adapter', async () => {
    const { ctx } = await scenario(folder, [steps('a')])
    const stream = vi.fn<() => never>()
    ctx.llm.register({ name: 'live', serves: () => true, stream })
    const later = vi.fn<() => never>()
    ctx.on('llm/stream', later)
    await collect(call(ctx, 's'))
    await rejection(collect(call(ctx, 's')))
    await rejection(collect(call(ctx, 't')))
    expect(stream).not.toHaveBeenCalled()
    expect(later).not.toHaveBeenCalled()
  })

  it('case R10: serves the chunks of the log, one for one', async () => {
    const { ctx } = await scenario(folder, [steps('a', 'b')])
    expect(await collect(call(ctx, 's'))).toEqual(answer('a'))
    expect(await collect(call(ctx, 's'))).toEqual(answer('b'))
  })

  it('case R3: waits for no retry, for as long as it is installed', async () => {
    const { ctx, dispose } = await scenario(folder, [steps('a')])
    const due = vi.fn<() => Promise<void>>(() => Promise.resolve())
    const { signal } = new AbortController()
    const wait = { delayMs: 60_000, signal, sessionId: sid('s') }
    await ctx.waterfall('llm/retry-delay', wait, due)
    expect(due).not.toHaveBeenCalled()
    dispose()
    await ctx.waterfall('llm/retry-delay', wait, due)
    expect(due).toHaveBeenCalledOnce()
  })

  it('tells the whole story in the report', async () => {
    const run = await scenario(folder, [steps('a', 'b'), steps('c'), []])
    await collect(call(run.ctx, 's'))
    await collect(call(run.ctx))
    await rejection(collect(call(run.ctx, 'title', { purpose: 'title' })))
    run.dispose()
    const [file, first, second] = run.files
    expect(run.report()).toEqual([
      { event: 'loaded', lane: 0, file, calls: 2 },
      { event: 'loaded', lane: 1, file: first, calls: 1 },
      { event: 'loaded', lane: 2, file: second, calls: 0 },
      { event: 'bound', lane: 0, session: 's', rule: 'primary' },
      { event: 'served', lane: 0, session: 's', call: 1 },
      { event: 'bound', lane: 0, session: null, rule: 'anonymous' },
      { event: 'served', lane: 0, session: null, call: 1 },
      {
        event: 'refused',
        code: 'UNRECORDED_PURPOSE',
        session: 'title',
        message:
          'llm-replay: session title calls the model for "title", and no recording holds calls of other purposes than "turn"; switch off what makes this call',
      },
      { event: 'left', lane: 0, served: 1, left: 1 },
      { event: 'left', lane: 1, served: 0, left: 1 },
      { event: 'left', lane: 2, served: 0, left: 0 },
    ])
  })

  it('works without a report', async () => {
    const file = folder.write('plain.jsonl', logText(header(), events(steps('a'))))
    const ctx = await testContext()
    const dispose = installLlmReplay(ctx, { file })
    expect(textOf(await collect(call(ctx)))).toBe('a')
    dispose()
  })

  it('moves the cursor when the call is made, not when it is read', async () => {
    const { ctx } = await scenario(folder, [steps('a', 'b')])
    const first = call(ctx, 's')
    const second = call(ctx, 's')
    expect(textOf(await collect(second))).toBe('b')
    expect(textOf(await collect(first))).toBe('a')
  })

  it('lets a call fail on its first iteration, never when it is made', async () => {
    const run = await scenario(folder, [[]])
    const stream = call(run.ctx, 's')
    expect(run.reported('refused')).toHaveLength(1)
    const error = await rejection(collect(stream))
    expect(error).toMatchObject({ code: 'UNRECORDED_SESSION', name: 'ReplayError' })
    expect(error.message).toBe(run.reported('refused')[0]?.message)
  })

  it('case R9: installs nothing when a fixture is bad or the report cannot be written', async () => {
    const ctx = await testContext()
    const file = folder.write('ok.jsonl', logText(header(), events(steps('a'))))
    const reportFile = folder.path('never.jsonl')
    expect(() =>
      installLlmReplay(ctx, { file, childFiles: [folder.path('none')], reportFile }),
    ).toThrow('fixture not found')
    expect(existsSync(reportFile)).toBe(false)
    expect(() => installLlmReplay(ctx, { file, reportFile: folder.path('no/r') })).toThrow(
      'cannot write the report',
    )
    expect(await rejection(collect(call(ctx)))).toMatchObject({ code: 'NO_ADAPTER' })
  })

  it.runIf(existsSync('/dev/full'))(
    'case R7: is not installed when its first record is lost',
    async () => {
      const file = folder.write('full.jsonl', logText(header(), []))
      const ctx = await testContext()
      expect(() => installLlmReplay(ctx, { file, reportFile: '/dev/full' })).toThrow('ENOSPC')
    },
  )

  it('case R6: needs no key in the environment', async () => {
    vi.stubEnv('DEEPSEEK_API_KEY', undefined)
    const { ctx } = await scenario(folder, [steps('a')])
    expect(textOf(await collect(call(ctx)))).toBe('a')
    vi.unstubAllEnvs()
  })
})

describe('disposal', () => {
  it('takes the listener away, and a second call does nothing', async () => {
    const run = await scenario(folder, [steps('a')])
    run.dispose()
    const before = run.report()
    run.dispose()
    expect(run.report()).toEqual(before)
    expect(await rejection(collect(call(run.ctx)))).toMatchObject({ code: 'NO_ADAPTER' })
  })

  it('returns nothing', async () => {
    const run = await scenario(folder, [steps('a')])
    expect(run.dispose()).toBeUndefined()
  })

  it('happens with the context', async () => {
    const ctx = await testContext()
    const file = folder.write('fiber.jsonl', logText(header(), events(steps('a'))))
    const reportFile = folder.path('fiber.report')
    const fiber = await ctx.plugin({
      name: 'owner',
      inject: ['llm'],
      apply: (inner) => void installLlmReplay(inner, { file, reportFile }),
    })
    expect(textOf(await collect(call(ctx)))).toBe('a')
    await fiber.dispose()
    expect(await rejection(collect(call(ctx)))).toMatchObject({ code: 'NO_ADAPTER' })
  })

  it('starts afresh when installed again', async () => {
    const run = await scenario(folder, [steps('a')])
    await collect(call(run.ctx, 's'))
    run.dispose()
    installLlmReplay(run.ctx, { file: run.files[0] ?? '' })
    expect(textOf(await collect(call(run.ctx, 'other')))).toBe('a')
  })

  it('ends a hang that waits', async () => {
    const overrideFile = folder.write('hang.json', '[{"kind":"hang","chunks":[]}]')
    const run = await scenario(folder, [[]], { overrideFile })
    const waiting = rejection(collect(call(run.ctx, 's')))
    run.dispose()
    expect(await waiting).toMatchObject({ code: 'REPLAY_DISPOSED' })
    expect(run.reported('ready')).toEqual([{ event: 'ready', lane: 0, session: 's', call: 1 }])
  })

  it('takes the tools listener away too', async () => {
    const run = await scenario(folder, [[]], { tools: { bash: 'refuse' } })
    const hooks = (): number => run.ctx.events._hooks['tools/execute']?.length ?? 0
    expect(hooks()).toBe(1)
    run.dispose()
    expect(hooks()).toBe(0)
    const plain = await scenario(folder, [[]], { tools: {} })
    expect(plain.ctx.events._hooks['tools/execute']).toBeUndefined()
  })
})

describe('overrides', () => {
  it('case R12: replay a failure, a cut stream and a hang, and report when the hang waits', async () => {
    const overrideFile = folder.write(
      'o.json',
      JSON.stringify([
        { kind: 'throw', chunks: [], message: 'no', code: 'AUTH', status: 401 },
        { kind: 'throw', chunks: answer('cut').slice(0, 2), message: 'cut', code: 'STREAM_CLOSED' },
        { kind: 'hang' },
      ]),
    )
    const run = await scenario(folder, [steps('not served')], { overrideFile })
    const failed = await rejection(collect(call(run.ctx, 's')))
    expect(failed).toBeInstanceOf(LlmError)
    expect(failed).toMatchObject({ code: 'AUTH', status: 401 })
    expect(await rejection(collect(call(run.ctx, 's')))).toMatchObject({ code: 'STREAM_CLOSED' })
    const abort = new AbortController()
    const hang = call(run.ctx, 's', { signal: abort.signal })[Symbol.asyncIterator]()
    const got = [(await hang.next()).value, (await hang.next()).value]
    expect(run.reported('ready')).toEqual([])
    const waiting = rejection(hang.next())
    expect(run.reported('ready')).toEqual([{ event: 'ready', lane: 0, session: 's', call: 3 }])
    abort.abort()
    expect(await waiting).toMatchObject({ code: 'aborted' })
    expect(got).toEqual([
      { type: 'block-start', index: 0, blockType: 'text' },
      { type: 'text-delta', index: 0, text: 'partial' },
    ])
  })

  it('has no places, and so no retry to compare', async () => {
    const live = liveSession('s')
    const overrideFile = folder.write(
      'three.json',
      JSON.stringify(['x', 'y'].map((text) => ({ kind: 'chunks', chunks: answer(text) }))),
    )
    const run = await scenario(folder, [[]], { overrideFile, live: [live] })
    expect(textOf(await collect(call(run.ctx, 's')))).toBe('x')
    expect(textOf(await collect(call(run.ctx, 's')))).toBe('y')
  })
})

describe('the working directory', () => {
  it('is mapped to that of the live session, which is looked up for each', async () => {
    const text = 'in /rec/cwd/a and {{cwd}}/b'
    const live = [
      liveSession('p'),
      liveSession('c', [], { cwd: '/other', parentSession: sid('p') }),
    ]
    const { ctx } = await scenario(folder, [steps(text), steps(text)], { live })
    expect(textOf(await collect(call(ctx, 'p')))).toBe('in /live/cwd/a and /live/cwd/b')
    expect(textOf(await collect(call(ctx, 'c')))).toBe('in /other/a and /other/b')
  })

  it('is left as recorded where the live session is not known', async () => {
    const text = 'in /rec/cwd/a'
    const { ctx } = await scenario(folder, [steps(text, text)], { live: [] })
    expect(textOf(await collect(call(ctx, 'p')))).toBe(text)
    expect(textOf(await collect(call(ctx)))).toBe(text)
  })

  it('is mapped in the chunks of overrides', async () => {
    const overrideFile = folder.write(
      'cwd.json',
      JSON.stringify([{ kind: 'chunks', chunks: answer('{{cwd}}') }]),
    )
    const { ctx } = await scenario(folder, [[]], { overrideFile, live: [liveSession('p')] })
    expect(await collect(call(ctx, 'p'))).toEqual(answer('/live/cwd'))
  })
})
