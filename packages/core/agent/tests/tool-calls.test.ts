import type { ToolOutcome } from 'dsh-tools'
import { describe, expect, it } from 'vitest'
import { calls, gate, rig, say, text, tool } from './harness.ts'

const order = (types: readonly string[]): string[] =>
  types.filter((type) => type.startsWith('tool/'))

describe('tool calls', () => {
  it('log each result before the next call, and pass on the whole context', async () => {
    const seen: unknown[] = []
    const note = tool('t', async (args, { session, signal, clock, ...rest }) => {
      seen.push([args, rest, session.id, signal.aborted, typeof clock.now()])
      return say('out')
    })
    const r = await rig([calls('t', 't'), text('done')], { tools: [note] })
    await r.agent.prompt(say('x'))
    expect(order(r.types())).toEqual(['tool/call', 'tool/result', 'tool/call', 'tool/result'])
    const common = { cwd: '/w', turn: 1, step: 1 }
    expect(seen).toEqual([
      [{ n: 0 }, { ...common, call: 0, callId: 'call_0' }, r.session.id, false, 'number'],
      [{ n: 1 }, { ...common, call: 1, callId: 'call_1' }, r.session.id, false, 'number'],
    ])
    expect(r.data('tool/call')[1]).toEqual({
      turn: 1,
      step: 1,
      callId: 'call_1',
      name: 't',
      arguments: '{"n":1}',
    })
    const [call] = r.events('tool/call')
    expect(r.events('tool/result')[0]).toMatchObject({
      sourceEventSeqs: [call?.seq],
      surfaceOp: 'append',
    })
  })

  it('log results with only what the outcome has, in the order of the format', async () => {
    const meta = { diffs: [] }
    const r = await rig([calls('ok', 'bad', 'none'), text('done')], {
      tools: [
        tool('ok', async () => ({ ...say('out'), meta })),
        tool('bad', async () => ({
          ...say('Error: no'),
          isError: true,
          error: { name: 'FsError', code: 'FS_NOT_FOUND' },
        })),
      ],
    })
    await r.agent.prompt(say('x'))
    const [ok, bad, none] = r.data('tool/result') as object[]
    expect(Object.keys(ok ?? {})).toEqual(['turn', 'step', 'callId', 'content', 'isError', 'meta'])
    expect(ok).toMatchObject({ isError: false, meta })
    expect(Object.keys(bad ?? {})).toEqual([
      'turn',
      'step',
      'callId',
      'content',
      'isError',
      'error',
    ])
    expect(bad).toMatchObject({ isError: true, error: { code: 'FS_NOT_FOUND' } })
    expect(none).toMatchObject({ isError: true, error: { code: 'UNKNOWN_TOOL' } })
  })

  it.each([
    ['nothing', undefined, /^Error: /],
    ['a lossy meta', { ...say('out'), meta: { n: Number.NaN } }, /^Error: /],
  ])('that answer %s get an error result', async (_what, outcome, text_) => {
    const r = await rig([calls('t'), text('done')], {
      tools: [tool('t', async () => outcome as unknown as ToolOutcome)],
    })
    await expect(r.agent.prompt(say('x'))).resolves.toMatchObject({ reason: { kind: 'completed' } })
    expect(r.data('tool/result')).toMatchObject([
      { callId: 'call_0', isError: true, content: [{ text: expect.stringMatching(text_) }] },
    ])
  })

  it('of neighbours that may overlap run together and log calls, then results, in call order', async () => {
    const second = gate()
    const tools = [
      tool(
        'p',
        async (args) => {
          const { n } = args as { n: number }
          if (n === 1) await second.passed
          if (n === 2) second.open()
          return say(`p${n}`)
        },
        true,
      ),
      tool('s', async () => say('s'), false),
    ]
    const r = await rig([calls('s', 'p', 'p', 's'), text('done')], { tools })
    await r.agent.prompt(say('x'))
    expect(order(r.types())).toEqual([
      'tool/call',
      'tool/result',
      'tool/call',
      'tool/call',
      'tool/result',
      'tool/result',
      'tool/call',
      'tool/result',
    ])
    expect(r.data('tool/result')).toMatchObject([say('s'), say('p1'), say('p2'), say('s')])
    const seqs = r.events('tool/call').map((event) => event.seq)
    expect(r.events('tool/result').map((event) => event.sourceEventSeqs)).toEqual(
      seqs.map((seq) => [seq]),
    )
  })

  it('that have not begun when the turn is cancelled get an error result, and the turn ends', async () => {
    const ran: number[] = []
    const r = await rig([calls('t', 't', 't')], {
      tools: [
        tool('t', async (args) => {
          ran.push((args as { n: number }).n)
          r.agent.cancel('session/cancel')
          return say('out')
        }),
      ],
    })
    await expect(r.agent.prompt(say('x'))).resolves.toMatchObject({
      reason: { kind: 'aborted', reason: 'session/cancel' },
    })
    expect(ran).toEqual([0])
    expect(order(r.types())).toHaveLength(6)
    expect(r.data('tool/result')[2]).toEqual({
      turn: 1,
      step: 1,
      callId: 'call_2',
      content: [{ type: 'text', text: 'Error: the turn was cancelled before this tool ran' }],
      isError: true,
      error: { name: 'AbortError', code: 'aborted' },
    })
    expect(r.requests).toHaveLength(1)
  })
})
