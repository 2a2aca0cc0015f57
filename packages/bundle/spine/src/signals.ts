import { constants } from 'node:os'
import type { RunnerProcess, Serving } from './types.ts'

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/**
 * A signal ends the serving in order, a second one the process at once, with 128 + its number. A
 * SIGINT that has something to interrupt does only that.
 * @returns what gives the signals back
 */
export function closeOnSignal(serving: Serving, process: RunnerProcess): () => void {
  let closing = false
  const listeners = SIGNALS.map((signal) => {
    const listener = (): void => {
      if (closing) {
        process.exit(128 + constants.signals[signal])
        return
      }
      if (signal === 'SIGINT' && serving.interrupt?.() === true) return
      closing = true
      serving.close()
    }
    process.on(signal, listener)
    return [signal, listener] as const
  })
  return () => {
    for (const [signal, listener] of listeners) process.off(signal, listener)
  }
}
