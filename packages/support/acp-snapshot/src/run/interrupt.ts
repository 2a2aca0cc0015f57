import { constants } from 'node:os'

/** The part of `process` that matters here. */
export interface InterruptHost {
  on(event: 'SIGINT' | 'SIGTERM', listener: () => void): unknown
  off(event: 'SIGINT' | 'SIGTERM', listener: () => void): unknown
  exit(code: number): unknown
}

export interface InterruptHandler {
  /** Aborts at the first signal. */
  readonly signal: AbortSignal
  /** Gives the signals back to their default. May be called again. */
  readonly dispose: () => void
}

/**
 * For a program's entry: the first SIGINT or SIGTERM ends what runs in order, since a harness that
 * just dies leaves folders and processes behind; the second exits at once, with 128 + its number.
 */
export function installInterruptHandler(host: InterruptHost): InterruptHandler {
  const controller = new AbortController()
  const handle = (name: 'SIGINT' | 'SIGTERM') => (): void => {
    if (controller.signal.aborted) host.exit(128 + constants.signals[name])
    controller.abort()
  }
  const onInt = handle('SIGINT')
  const onTerm = handle('SIGTERM')
  host.on('SIGINT', onInt)
  host.on('SIGTERM', onTerm)
  return {
    signal: controller.signal,
    dispose: () => {
      host.off('SIGINT', onInt)
      host.off('SIGTERM', onTerm)
    },
  }
}
