import { describe, expect, test } from 'vitest'
import { runScenario } from '../../src/run/run-scenario.ts'
import { HeldClock } from './held-clock.ts'
import { harvest, hello, open, run, scenario, useTempDir } from './harness.ts'

const tempRoot = useTempDir()

describe('the exit of the agent', () => {
  test('a program that does not exist is not started', async () => {
    const result = await runScenario(
      {
        scenario: scenario(open),
        agent: { command: ['no-such-program'] },
        mode: 'replay',
        tempRoot: tempRoot(),
      },
      { harvest },
    )
    expect(result.faults).toEqual([
      { kind: 'agent-not-started', message: 'no-such-program: spawn no-such-program ENOENT' },
    ])
    expect(result.stdout).toEqual([])
  })

  test('a command that cannot be passed to the system is not started', async () => {
    const result = await runScenario(
      {
        scenario: scenario(open),
        agent: { command: ['a\0b'] },
        mode: 'replay',
        tempRoot: tempRoot(),
      },
      { harvest },
    )
    expect(result.faults).toMatchObject([{ kind: 'agent-not-started' }])
  })

  test('one that exits at once is named, not what it did to the first step', async () => {
    const { faults } = await run({
      agent: ['exits.mjs', 'at-once', '3'],
      scenario: scenario(open),
      tempRoot: tempRoot(),
    })
    expect(faults).toEqual([
      {
        kind: 'agent-exited',
        code: 3,
        signal: null,
        during: 'step 0 (initialize): the answer to initialize',
      },
    ])
  })

  test('an exit in the middle of a prompt stops the script, with code 0 too', async () => {
    const { faults, stdout } = await run({
      agent: ['exits.mjs', 'session/prompt', '0'],
      scenario: scenario([...open, hello, hello]),
      tempRoot: tempRoot(),
    })
    expect(faults).toEqual([
      {
        kind: 'agent-exited',
        code: 0,
        signal: null,
        during: 'step 2 (prompt): the answer to session/prompt',
      },
    ])
    expect(stdout).toHaveLength(2)
  })

  test('the last words before an exit are not lost', async () => {
    const { sessionIds, faults } = await run({
      agent: ['exits.mjs', 'after-new', '0'],
      scenario: scenario(open),
      tempRoot: tempRoot(),
    })
    expect(sessionIds).toEqual(['last'])
    expect(faults).toEqual([])
  })

  test('an exit code at the end is a fault', async () => {
    const { faults } = await run({
      agent: ['exits.mjs', 'end', '7'],
      scenario: scenario([...open, hello]),
      tempRoot: tempRoot(),
    })
    expect(faults).toEqual([
      {
        kind: 'agent-exited',
        code: 7,
        signal: null,
        during: 'its exit after the end of its stdin',
      },
    ])
  })

  test('one that never answers runs into the bound of the scenario, which beats the caller’s', async () => {
    const clock = new HeldClock(1_234)
    const running = run({
      agent: ['mute.mjs'],
      scenario: scenario(open, { timeoutMs: 1_234 }),
      tempRoot: tempRoot(),
      dependencies: { clock },
    })
    await clock.armed(1_234)
    clock.fire(1_234)
    const { faults } = await running
    expect(faults).toHaveLength(1)
    expect(faults[0]).toMatchObject({ kind: 'timeout', afterMs: 1_234 })
    expect(clock.pending(1_234)).toBe(0)
  })

  test('the bound is a minute where nobody names one', async () => {
    const clock = new HeldClock(60_000)
    const running = runScenario(
      {
        scenario: scenario(open),
        agent: { command: ['/bin/cat'] },
        mode: 'replay',
        tempRoot: tempRoot(),
      },
      { harvest, clock },
    )
    await clock.armed(60_000)
    clock.fire(60_000)
    expect((await running).faults).toMatchObject([{ kind: 'timeout', afterMs: 60_000 }])
  })

  test.each(['', 'ignore-term'])('one that outlives its stdin is made to end (%s)', async (how) => {
    const clock = new HeldClock(5_000, 2_000)
    const running = run({
      agent: ['stubborn.mjs', how],
      scenario: scenario(open),
      tempRoot: tempRoot(),
      dependencies: { clock },
    })
    await clock.armed(5_000)
    clock.fire(5_000)
    if (how === 'ignore-term') {
      await clock.armed(2_000)
      clock.fire(2_000)
    }
    const { faults } = await running
    expect(faults).toEqual([
      {
        kind: 'timeout',
        afterMs: 5_000,
        waitingFor: 'the agent to exit after the end of its stdin',
      },
    ])
    expect(clock.pending(5_000) + clock.pending(2_000)).toBe(0)
  })
})
