import { constants } from 'node:os'

/** The signals by which people and their terminals end a program. */
export type EndSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP'
const SIGNALS: readonly EndSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** The part of `process` that matters here. */
export interface InterruptHost {
  on(event: EndSignal, listener: () => void): unknown
  off(event: EndSignal, listener: () => void): unknown
  exit(code: number): unknown
}

/** The signals of a process while runs are going on. */
export interface InterruptHandler {
  /** Aborts at the first signal. */
  readonly signal: AbortSignal
  /** Does what the first signal does. */
  readonly abort: () => void
  /** Gives the signals back to their default. May be called again. */
  readonly dispose: () => void
}

/**
 * For a program's entry: the first SIGINT, SIGTERM or SIGHUP ends what runs in order, since a harness
 * that just dies leaves folders and processes behind; the second exits at once, with 128 + its number.
 */
export function installInterruptHandler(host: InterruptHost): InterruptHandler {
  const controller = new AbortController()
  const listeners = SIGNALS.map((name) => {
    const listener = (): void => {
      if (controller.signal.aborted) host.exit(128 + constants.signals[name])
      controller.abort()
    }
    host.on(name, listener)
    return { name, listener }
  })
  return {
    signal: controller.signal,
    abort: () => controller.abort(),
    dispose: () => {
      for (const { name, listener } of listeners) host.off(name, listener)
    },
  }
}
