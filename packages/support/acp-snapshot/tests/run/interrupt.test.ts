import { EventEmitter, once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { runAtExit } from '../../src/run/at-exit.ts'
import { installInterruptHandler } from '../../src/run/interrupt.ts'
import type { ProcessTable } from '../../src/run/process-table.ts'
import { HeldClock } from './held-clock.ts'
import { folderWith, harvest, hello, open, run, scenario, useTempDir } from './harness.ts'

const tempRoot = useTempDir()

class FakeHost extends EventEmitter {
  readonly exits: number[] = []

  exit(code: number): void {
    this.exits.push(code)
  }
}

describe('installInterruptHandler', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ])('the first %s aborts, the second exits', (name, code) => {
    const host = new FakeHost()
    const { signal } = installInterruptHandler(host)
    expect(signal.aborted).toBe(false)
    host.emit(name)
    expect(signal.aborted).toBe(true)
    expect(host.exits).toEqual([])
    host.emit(name)
    expect(host.exits).toEqual([code])
  })

  test('can be set off by the program itself', () => {
    const host = new FakeHost()
    const { signal, abort } = installInterruptHandler(host)
    abort()
    expect(signal.aborted).toBe(true)
    expect(host.exits).toEqual([])
  })

  test('gives the signals back', () => {
    const host = new FakeHost()
    const { signal, dispose } = installInterruptHandler(host)
    dispose()
    dispose()
    host.emit('SIGINT')
    host.emit('SIGTERM')
    host.emit('SIGHUP')
    expect(signal.aborted).toBe(false)
    expect(host.eventNames()).toEqual([])
  })
})

describe('an interrupted run', () => {
  test('before it begins, starts nothing and leaves nothing', async () => {
    let looks = 0
    const processes: ProcessTable = {
      list: async () => {
        looks += 1
        return []
      },
      inspect: async () => undefined,
      kill: () => {},
    }
    const result = await run({
      agent: ['plain.mjs'],
      scenario: scenario([...open, hello]),
      tempRoot: tempRoot(),
      options: { signal: AbortSignal.abort() },
      dependencies: { processes },
    })
    // One look before the start, and none at the end of an agent.
    expect(looks).toBe(1)
    expect(result.faults).toEqual([{ kind: 'interrupted' }])
    expect(result.stdout).toEqual([])
    expect(await readdir(tempRoot())).toEqual([])
  })

  test('in the middle of a prompt, ends at once with all that it started', async () => {
    const controller = new AbortController()
    const clock = new HeldClock(5_000)
    const running = run({
      agent: ['leaves.mjs', 'marked'],
      scenario: scenario([...open, { op: 'prompt', text: 'hang' }]),
      tempRoot: tempRoot(),
      options: { signal: controller.signal },
      dependencies: { clock, limits: { descendantGraceMs: 30 } },
    })
    await folderWith(tempRoot(), 'started')
    controller.abort()
    const result = await running
    expect(result.faults).toMatchObject([
      { kind: 'interrupted' },
      { kind: 'descendants-left', processes: [expect.stringContaining('/bin/sleep')] },
    ])
    expect(result.stdout).toHaveLength(2)
    expect(clock.pending(5_000)).toBe(0)
    expect(await readdir(tempRoot())).toEqual([])
  })

  test('while it waits for the exit, does not wait any longer', async () => {
    const controller = new AbortController()
    const clock = new HeldClock(5_000)
    const running = run({
      agent: ['stubborn.mjs'],
      scenario: scenario(open),
      tempRoot: tempRoot(),
      options: { signal: controller.signal },
      dependencies: { clock },
    })
    await clock.armed(5_000)
    controller.abort()
    expect((await running).faults).toEqual([{ kind: 'interrupted' }])
    expect(await readdir(tempRoot())).toEqual([])
  })

  test('during a restart, starts no new process', async () => {
    const controller = new AbortController()
    const clock = new HeldClock(5_000)
    const running = run({
      agent: ['stubborn.mjs'],
      scenario: scenario([...open, { op: 'restart' }, { op: 'initialize' }]),
      tempRoot: tempRoot(),
      options: { signal: controller.signal },
      dependencies: { clock },
    })
    await clock.armed(5_000)
    controller.abort()
    const { faults, stdout } = await running
    expect(faults).toEqual([{ kind: 'interrupted' }])
    expect(stdout).toHaveLength(2)
  })

  test('in a harvest that does not listen, is over at once', async () => {
    const controller = new AbortController()
    const result = await run({
      agent: ['plain.mjs'],
      scenario: scenario(open),
      tempRoot: tempRoot(),
      options: { signal: controller.signal },
      dependencies: {
        harvest: () => {
          controller.abort()
          return new Promise(() => {})
        },
      },
    })
    expect(result.faults).toEqual([{ kind: 'interrupted' }])
    expect(result.sessionLogs).toEqual([])
    expect(await readdir(tempRoot())).toEqual([])
  })

  test('in a flood of stdout, ends at once', async () => {
    const controller = new AbortController()
    const running = run({
      agent: ['floods.mjs', 'short'],
      scenario: scenario([...open, hello]),
      tempRoot: tempRoot(),
      options: { signal: controller.signal },
      dependencies: { limits: { stdoutLines: Number.MAX_SAFE_INTEGER } },
    })
    await folderWith(tempRoot(), 'flooding')
    controller.abort()
    expect((await running).faults).toEqual([{ kind: 'interrupted' }])
    expect(await readdir(tempRoot())).toEqual([])
  })

  test('whose process exits in the middle of it, leaves nothing either', async () => {
    const running = run({
      agent: ['leaves.mjs', 'marked'],
      scenario: scenario([...open, { op: 'prompt', text: 'hang' }]),
      tempRoot: tempRoot(),
    })
    await folderWith(tempRoot(), 'started')
    runAtExit()
    expect(await readdir(tempRoot())).toEqual([])
    const { faults } = await running
    expect(faults).toContainEqual(
      expect.objectContaining({ kind: 'agent-exited', signal: 'SIGKILL' }),
    )
  })

  test('in the harvest, is told as well, and lets go of the signal', async () => {
    const controller = new AbortController()
    const events = new EventEmitter()
    const asked = once(events, 'harvest')
    const running = run({
      agent: ['plain.mjs'],
      scenario: scenario(open),
      tempRoot: tempRoot(),
      options: { signal: controller.signal },
      dependencies: {
        harvest: async (root) => {
          events.emit('harvest')
          await once(controller.signal, 'abort')
          return harvest(root)
        },
      },
    })
    await asked
    controller.abort()
    expect((await running).faults).toEqual([{ kind: 'interrupted' }])
    expect(await readdir(tempRoot())).toEqual([])
  })
})
