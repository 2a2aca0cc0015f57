import { describe, expect, test } from 'vitest'
import { HeldClock } from './held-clock.ts'
import { folderWith, hello, open, run, scenario, useTempDir } from './harness.ts'

const tempRoot = useTempDir()

describe('stdout', () => {
  test('case R7: what is not protocol is a fault, whatever the agent goes on to do', async () => {
    const result = await run({
      agent: ['noisy.mjs'],
      scenario: scenario([...open, hello]),
      tempRoot: tempRoot(),
    })
    expect(result.faults).toEqual([
      { kind: 'protocol-line', line: 1, text: 'starting up…', problem: 'not-json' },
      {
        kind: 'protocol-line',
        line: 4,
        text: '[{"jsonrpc":"2.0","method":"x"}]',
        problem: 'not-json-rpc',
      },
      { kind: 'protocol-line', line: 5, text: '"\ufffd"', problem: 'not-utf8' },
      { kind: 'protocol-line', line: 7, text: '{"jsonrpc":"2.0","id":2}', problem: 'not-json-rpc' },
    ])
    expect(result.stdout).toHaveLength(8)
    expect(result.stdout[0]).toBe('starting up…')
  })

  test('half a line at the exit is a fault', async () => {
    const result = await run({
      agent: ['half-line.mjs'],
      scenario: scenario([...open, hello]),
      tempRoot: tempRoot(),
    })
    const text = '{"jsonrpc":"2.0","method":"session/upd'
    expect(result.faults).toEqual([
      { kind: 'protocol-line', line: 5, text, problem: 'unterminated' },
    ])
    expect(result.stdout.at(-1)).toBe(text)
  })

  test('what comes between the end of stdin and the exit is captured', async () => {
    const result = await run({
      agent: ['slow-exit.mjs'],
      scenario: scenario(open),
      tempRoot: tempRoot(),
    })
    expect(result.faults).toEqual([])
    expect(result.stdout.at(-1)).toContain('"late"')
  })

  test.each([
    ['lines', 'stdout', { stdoutBytes: 100_000 }, 100_000],
    ['line', 'stdout', { lineBytes: 50_000 }, 50_000],
    ['stderr', 'stderr', { stderrBytes: 100_000 }, 100_000],
  ])('a flood of %s ends the run', async (how, stream, limits, bytes) => {
    const result = await run({
      agent: ['floods.mjs', how],
      scenario: scenario([...open, hello]),
      tempRoot: tempRoot(),
      dependencies: { limits },
    })
    expect(result.faults).toEqual([{ kind: 'output-too-large', stream, bytes }])
    expect(result.stdout.join('\n').length).toBeLessThanOrEqual(bytes)
  })

  test('a flood of short lines ends the run by their number', async () => {
    const result = await run({
      agent: ['floods.mjs', 'short'],
      scenario: scenario([...open, hello]),
      tempRoot: tempRoot(),
      dependencies: { limits: { stdoutLines: 5_000 } },
    })
    expect(result.faults).toEqual([{ kind: 'output-too-large', stream: 'stdout', lines: 5_000 }])
    expect(result.stdout).toHaveLength(5_000)
  })

  test('the bound on the run holds in a flood of short lines', async () => {
    const clock = new HeldClock(15_000)
    const running = run({
      agent: ['floods.mjs', 'short'],
      scenario: scenario([...open, hello]),
      tempRoot: tempRoot(),
      dependencies: { clock, limits: { stdoutLines: Number.MAX_SAFE_INTEGER } },
    })
    await folderWith(tempRoot(), 'flooding')
    clock.fire(15_000)
    expect((await running).faults).toEqual([
      { kind: 'timeout', afterMs: 15_000, waitingFor: expect.stringContaining('step 2') },
    ])
  })

  test('a FIFO in the place of the report is a fault that names it', async () => {
    const result = await run({
      agent: ['fifo.mjs'],
      scenario: scenario(open),
      tempRoot: tempRoot(),
    })
    expect(result.faults).toEqual([
      {
        kind: 'report-unreadable',
        message: expect.stringMatching(
          /report\.jsonl: a FIFO, expected a regular file; remove it$/,
        ),
      },
    ])
  })

  test('a harvest has its time, and no more', async () => {
    const clock = new HeldClock(10_000)
    const signals: AbortSignal[] = []
    const running = run({
      agent: ['plain.mjs'],
      scenario: scenario(open),
      tempRoot: tempRoot(),
      dependencies: {
        clock,
        harvest: (_root, signal) => {
          signals.push(signal)
          return new Promise(() => {})
        },
      },
    })
    await clock.armed(10_000)
    expect(signals[0]?.aborted).toBe(false)
    clock.fire(10_000)
    expect((await running).faults).toEqual([
      { kind: 'harvest-failed', message: 'they were not collected within 10000 ms' },
    ])
    expect(signals[0]?.aborted).toBe(true)
    expect(clock.pending(10_000)).toBe(0)
  })

  test.each(['stdin', 'stdout'])(
    'an agent that closes its %s and lives on fails the step',
    async (stream) => {
      const clock = new HeldClock(1_000, 5_000)
      const running = run({
        agent: ['closes.mjs', stream],
        scenario: scenario([...open, hello, hello]),
        tempRoot: tempRoot(),
        dependencies: { clock },
      })
      await clock.armed(1_000)
      clock.fire(1_000)
      await clock.armed(5_000)
      clock.fire(5_000)
      const { faults } = await running
      expect(faults).toEqual([
        {
          kind: 'step-failed',
          step: 2,
          op: 'prompt',
          message: `the agent closed its ${stream}, but goes on running`,
        },
      ])
    },
  )
})
