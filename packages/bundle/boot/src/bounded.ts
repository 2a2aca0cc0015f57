import type { Clock } from 'dsh-brand'

/**
 * Settles as `work` does, or rejects with `late()` after `ms` milliseconds. `work` goes on then, but
 * its outcome is observed, so that a late rejection does not end the process.
 */
export function bounded<T>(
  clock: Clock,
  ms: number,
  work: Promise<T>,
  late: () => Error,
): Promise<T> {
  return new Promise((resolve, reject) => {
    // Kept alive: a process whose only work hangs must say so, not end without a word.
    const cancel = clock.after(ms, () => reject(late()), { keepAlive: true })
    work.finally(cancel).then(resolve, reject)
  })
}
