import { type Clock, delay } from 'dsh-brand'

/**
 * Whether `promise` settles within `ms`. An abort ends the wait as its timeout would. Never rejects,
 * leaves no timer behind.
 */
export function settlesWithin(
  promise: Promise<unknown>,
  clock: Clock,
  ms: number,
  signal?: AbortSignal,
): Promise<boolean> {
  return new Promise((resolve) => {
    const answer = (settled: boolean) => (): void => {
      cancel()
      signal?.removeEventListener('abort', giveUp)
      resolve(settled)
    }
    const giveUp = answer(false)
    const cancel = clock.after(ms, giveUp, { keepAlive: true })
    signal?.addEventListener('abort', giveUp)
    promise.then(answer(true), answer(true))
    if (signal?.aborted === true) giveUp()
  })
}

/**
 * Asks `check` at once and then every `pollMs` until it says true. Resolves without an answer once
 * `signal` aborts, which is what bounds it.
 * @throws what `check` throws
 */
export async function pollUntil(
  check: () => Promise<boolean>,
  options: { readonly clock: Clock; readonly pollMs: number; readonly signal: AbortSignal },
): Promise<void> {
  const { clock, pollMs, signal } = options
  while (!signal.aborted && !(await check())) {
    await delay(clock, pollMs, signal)
  }
}
