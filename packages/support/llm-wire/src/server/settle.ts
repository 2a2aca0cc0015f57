/**
 * Waits for what `start` begins: until it calls `done` or the signal aborts, whichever is first. An
 * aborted signal starts nothing.
 */
export function settle(signal: AbortSignal, start: (done: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve()
      return
    }
    const done = (): void => {
      signal.removeEventListener('abort', done)
      resolve()
    }
    signal.addEventListener('abort', done)
    start(done)
  })
}
