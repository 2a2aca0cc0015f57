import { appendFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import type { HangPoint } from '../../src/run/types.ts'
import type { Step } from '../../src/scenario/types.ts'
import { HeldClock } from './held-clock.ts'
import { folderWith, open, run, scenario, useTempDir } from './harness.ts'

const tempRoot = useTempDir()

const cancelling = (text: string, after?: object): Step =>
  ({ op: 'promptAndCancel', text, ...(after === undefined ? {} : { after }) }) as Step

async function outcome(step: Step) {
  const result = await run({
    agent: ['cancels.mjs'],
    scenario: scenario([...open, step]),
    tempRoot: tempRoot(),
  })
  const kinds = result.stdout
    .map((line) => JSON.parse(line))
    .map((message) => message.params?.update?.sessionUpdate ?? message.result?.stopReason)
    .slice(2)
  return { kinds, faults: result.faults }
}

const ready = (lane: number, call: number) =>
  JSON.stringify({ event: 'ready', lane, session: null, call })

describe('promptAndCancel', () => {
  test('cancels after the first chunk of the answer', async () => {
    expect(await outcome(cancelling('other|chunk'))).toEqual({
      kinds: ['plan', 'agent_message_chunk', 'agent_thought_chunk', 'cancelled'],
      faults: [],
    })
  })

  test('cancels after the nth update of a kind', async () => {
    const { kinds, faults } = await outcome(
      cancelling('other|chunk|other', { update: 'plan', nth: 2 }),
    )
    expect(kinds).toEqual([
      'plan',
      'agent_message_chunk',
      'plan',
      'agent_thought_chunk',
      'cancelled',
    ])
    expect(faults).toEqual([])
  })

  test('cancels once a file is there', async () => {
    const { kinds, faults } = await outcome(cancelling('file', { file: 'started' }))
    expect(kinds).toEqual(['agent_thought_chunk', 'cancelled'])
    expect(faults).toEqual([])
  })

  test.each([
    [
      'end',
      undefined,
      'the prompt ended with end_turn before update 1 of kind agent_message_chunk',
    ],
    ['fail', { file: 'x' }, 'the prompt failed with "no luck" before file x'],
    [
      'chunk|end',
      { update: 'plan' },
      'the prompt ended with end_turn before update 1 of kind plan',
    ],
  ])('fails where the prompt ends first (%s)', async (text, after, message) => {
    const { faults } = await outcome(cancelling(text, after))
    expect(faults).toEqual([{ kind: 'step-failed', step: 2, op: 'promptAndCancel', message }])
  })

  test('holds the cancel back until every recorded hang of the turn is ready', async () => {
    const points: HangPoint[] = [
      { lane: 0, call: 1, root: 0, prompt: 1 },
      { lane: 0, call: 2, root: 0, prompt: 2 },
      { lane: 1, call: 1, root: 0, prompt: 2 },
      { lane: 2, call: 1, root: 1, prompt: 2 },
    ]
    const asked: string[] = []
    const running = run({
      agent: ['cancels.mjs'],
      scenario: scenario([
        ...open,
        cancelling(`report:${ready(0, 1)}|chunk`),
        cancelling(`report:${ready(0, 2)}|chunk|file`),
      ]),
      tempRoot: tempRoot(),
      dependencies: {
        hangPoints: async ({ name }) => {
          asked.push(name)
          return points
        },
      },
    })
    // The second turn is at its chunk once the file is there; its other lane is not ready yet.
    const dir = await folderWith(tempRoot(), 'started')
    await appendFile(path.join(dir, 'report.jsonl'), `${ready(1, 1)}\n`)
    const result = await running
    expect(result.faults).toEqual([])
    expect(result.stdout.filter((line) => line.includes('cancelled at'))).toEqual([
      expect.stringContaining('at report line 1"'),
      expect.stringContaining('at report line 3"'),
    ])
    expect(asked).toEqual(['example'])
    expect(result.report.map((record) => record.event === 'ready' && record.lane)).toEqual([
      0, 0, 1,
    ])
  })

  test('counts the prompts that open a turn, those that fail too, but no refused ones', async () => {
    const result = await run({
      agent: ['cancels.mjs'],
      scenario: scenario([
        ...open,
        { op: 'promptExpectError', text: 'reject' },
        { op: 'promptExpectError', text: 'fail' },
        { op: 'prompt', text: 'end' },
        cancelling(`report:${ready(0, 3)}|chunk`),
      ]),
      tempRoot: tempRoot(),
      dependencies: {
        // The second hang never comes: whoever waits for it waits for ever.
        hangPoints: async () => [
          { lane: 0, call: 3, root: 0, prompt: 3 },
          { lane: 0, call: 4, root: 0, prompt: 2 },
          { lane: 0, call: 4, root: 0, prompt: 4 },
        ],
      },
    })
    expect(result.faults).toEqual([])
  })

  test.each([
    [2, 'call 1 of lane 0, call 1 of lane 1'],
    [
      7,
      'call 1 of lane 0, call 1 of lane 1, call 1 of lane 2, call 1 of lane 3, call 1 of lane 4, 2 more',
    ],
  ])('a prompt that ends before its %i recorded hangs fails, and names them', async (of, named) => {
    const points = Array.from({ length: of }, (_, lane) => ({ lane, call: 1, root: 0, prompt: 1 }))
    const result = await run({
      agent: ['cancels.mjs'],
      scenario: scenario([...open, cancelling('chunk|end')]),
      tempRoot: tempRoot(),
      dependencies: { hangPoints: async () => points },
    })
    expect(result.faults).toMatchObject([
      {
        kind: 'step-failed',
        message: `the prompt ended with end_turn before every recorded hang of the turn (${named})`,
      },
    ])
  })

  test.each([
    ['agent_message_chunk', undefined],
    ['plan', { update: 'plan', nth: 2 }],
  ])(
    'is refused before the prompt goes out where nothing holds the turn (%s)',
    async (kind, after) => {
      const result = await run({
        agent: ['cancels.mjs'],
        scenario: scenario([...open, cancelling('other|chunk|other', after)]),
        tempRoot: tempRoot(),
        dependencies: { hangPoints: async () => [{ lane: 0, call: 2, root: 0, prompt: 2 }] },
      })
      expect(result.faults).toMatchObject([
        {
          kind: 'step-failed',
          message: expect.stringMatching(
            new RegExp(
              `^no call of this turn is recorded as a hang, so nothing holds the turn at update \\d of kind ${kind} until`,
            ),
          ),
        },
      ])
      expect(result.stdout.some((line) => line.includes('session/update'))).toBe(false)
    },
  )

  test.each([
    ['file', { file: 'started' }],
    ['call', { update: 'tool_call' }],
    ['progress', { update: 'tool_call_update' }],
  ])('needs no recorded hang where a tool holds the turn (%s)', async (text, after) => {
    const result = await run({
      agent: ['cancels.mjs'],
      scenario: scenario([...open, cancelling(text, after)]),
      tempRoot: tempRoot(),
      dependencies: { hangPoints: async () => [] },
    })
    expect(result.faults).toEqual([])
  })

  test.each(['record', 'replay'] as const)(
    'fails where the cancel comes too late (%s)',
    async (mode) => {
      const result = await run({
        agent: ['cancels.mjs'],
        scenario: scenario([...open, cancelling('chunk|late'), { op: 'prompt', text: 'end' }]),
        tempRoot: tempRoot(),
        options: { mode },
      })
      expect(result.faults).toEqual([
        {
          kind: 'step-failed',
          step: 2,
          op: 'promptAndCancel',
          message: expect.stringMatching(
            /^the prompt ended with end_turn, since the cancel after update 1 of kind agent_message_chunk came too late: /,
          ),
        },
      ])
    },
  )

  test.each([
    [1, '; recorded as hangs, which only promptAndCancel ends: call 3 of lane 1'],
    [2, ''],
  ])(
    'case R12: a prompt that waits for ever says for which hang (of prompt %i)',
    async (prompt, named) => {
      const clock = new HeldClock(1_234)
      const running = run({
        agent: ['cancels.mjs'],
        scenario: scenario([...open, { op: 'prompt', text: 'file' }], { timeoutMs: 1_234 }),
        tempRoot: tempRoot(),
        dependencies: { clock, hangPoints: async () => [{ lane: 1, call: 3, root: 0, prompt }] },
      })
      await folderWith(tempRoot(), 'started')
      clock.fire(1_234)
      expect((await running).faults).toEqual([
        {
          kind: 'timeout',
          afterMs: 1_234,
          waitingFor: `step 2 (prompt): the answer to session/prompt${named}`,
        },
      ])
    },
  )

  test('recording knows no hangs', async () => {
    const result = await run({
      agent: ['cancels.mjs'],
      scenario: scenario([...open, cancelling('chunk')]),
      tempRoot: tempRoot(),
      options: { mode: 'record' },
      dependencies: {
        hangPoints: () => Promise.reject(new Error('asked')),
      },
    })
    expect(result.faults).toEqual([])
  })

  test('case R7: a report that cannot be read stops the run', async () => {
    const result = await run({
      agent: ['cancels.mjs'],
      scenario: scenario([...open, cancelling('report:{"event":"done"}|chunk')]),
      tempRoot: tempRoot(),
      dependencies: { hangPoints: async () => [{ lane: 0, call: 1, root: 0, prompt: 1 }] },
    })
    expect(result.faults).toEqual([
      { kind: 'report-unreadable', message: expect.stringContaining('line 1 is not a record') },
    ])
  })
})
