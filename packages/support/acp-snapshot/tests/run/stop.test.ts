import { getEventListeners } from 'node:events'
import { describe, expect, test } from 'vitest'
import { RunStop, Stopped } from '../../src/run/stop.ts'
import type { RunFault } from '../../src/run/types.ts'

const never = new Promise<never>(() => {})
const exited: RunFault = { kind: 'agent-exited', code: 1, signal: null }
const timeout: RunFault = { kind: 'timeout', afterMs: 1, waitingFor: 'x' }
const interrupted: RunFault = { kind: 'interrupted' }

describe('RunStop', () => {
  test('the first stop is the cause, an interruption is told all the same, but once', () => {
    const stop = new RunStop()
    stop.note({ kind: 'harvest-failed', message: 'm' })
    expect(stop.signal.aborted).toBe(false)
    stop.stop(exited)
    expect(stop.signal.aborted).toBe(true)
    stop.stop(timeout)
    stop.stop(interrupted)
    stop.stop(interrupted)
    expect(stop.faults).toEqual([{ kind: 'harvest-failed', message: 'm' }, exited, interrupted])
  })

  test.each([
    [exited, false],
    [{ kind: 'step-failed', step: 0, op: 'prompt', message: 'm' }, false],
    [timeout, true],
    [interrupted, true],
    [{ kind: 'output-too-large', stream: 'stdout', bytes: 1 }, true],
  ] as [RunFault, boolean][])('%j hurries: %s', (fault, hurries) => {
    const stop = new RunStop()
    stop.stop(fault)
    expect(stop.hurry.aborted).toBe(hurries)
  })

  test('says what it waits for', async () => {
    const stop = new RunStop()
    expect(stop.waitingFor).toBe('the agent to start')
    stop.enter(2, 'prompt')
    expect(stop.waitingFor).toBe('step 2 (prompt): its start')
    await stop.until(Promise.resolve(), 'an answer')
    expect(stop.waitingFor).toBe('step 2 (prompt): an answer')
    stop.leave()
    expect(stop.waitingFor).toBe('the agent to end')
  })

  test('a failed step is named; before the first there is none to name', () => {
    const stop = new RunStop()
    stop.enter(1, 'newSession')
    stop.failStep('m')
    expect(stop.faults).toEqual([{ kind: 'step-failed', step: 1, op: 'newSession', message: 'm' }])
    const early = new RunStop()
    early.failStep('m')
    expect(early.faults).toEqual([{ kind: 'step-failed', step: 0, op: 'start', message: 'm' }])
  })

  test('a wait gives its outcome, or ends with the run', async () => {
    const stop = new RunStop()
    expect(await stop.until(Promise.resolve(7), 'x')).toBe(7)
    await expect(stop.until(Promise.reject(new Error('no')), 'x')).rejects.toThrow('no')
    expect(getEventListeners(stop.signal, 'abort')).toEqual([])
    const waiting = stop.until(never, 'x')
    stop.stop(exited)
    await expect(waiting).rejects.toBeInstanceOf(Stopped)
    await expect(stop.until(never, 'x')).rejects.toMatchObject({
      code: 'STOPPED',
      message: 'the run was stopped',
    })
  })
})
