/** What is to be done at once, the newest first, if the process exits before it is released. */
const pending = new Set<() => void>()

/** Runs what is pending. Nothing may wait in it; what one throws keeps no other from running. */
export function runAtExit(): void {
  for (const work of [...pending].toReversed()) {
    try {
      work()
    } catch {
      // The process is going: there is nobody left to tell.
    }
  }
  pending.clear()
}

/**
 * The last resort of a run whose process is made to exit in the middle of it, by a second Ctrl-C or
 * by a test runner that ends its workers.
 * @returns what takes it back
 */
export function atExit(work: () => void): () => void {
  // One listener for all runs, however many there are side by side.
  if (pending.size === 0) process.once('exit', runAtExit)
  pending.add(work)
  return () => {
    pending.delete(work)
    if (pending.size === 0) process.off('exit', runAtExit)
  }
}
