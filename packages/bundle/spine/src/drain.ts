import { type Clock, DshError, delay, systemClock } from 'dsh-brand'
import type { Serving } from './types.ts'

const DRAIN_TIMEOUT_MS = 10_000

/**
 * Settles as `serving.ended` does, within a bound from `closed` on: a tool that does not listen to
 * its signal must not keep the process for ever.
 * @throws DshError `DRAIN_TIMEOUT`
 */
export async function drained(
  serving: Serving,
  options: { readonly clock?: Clock; readonly drainTimeoutMs?: number },
): Promise<void> {
  const { clock = systemClock, drainTimeoutMs = DRAIN_TIMEOUT_MS } = options
  await serving.closed
  const done = new AbortController()
  const ended = serving.ended.finally(() => done.abort())
  // Whoever comes too late has nobody left to tell.
  ended.catch(() => undefined)
  const late = delay(clock, drainTimeoutMs, done.signal).then(() => {
    if (done.signal.aborted) return
    throw new DshError(
      'DRAIN_TIMEOUT',
      `the running turns did not end within ${drainTimeoutMs} ms after the end of the input; a tool or a model call ignores its signal, or nobody reads the output, and what was left is lost`,
    )
  })
  await Promise.race([ended, late])
  await ended
}
