/** Every bound of a run but its timeout. Milliseconds and bytes. */
export interface RunLimits {
  /** From the end of stdin to a voluntary exit. */
  readonly exitGraceMs: number
  /** From SIGTERM to SIGKILL. */
  readonly termGraceMs: number
  /** From SIGKILL until a process that is still there is given up. */
  readonly killWaitMs: number
  /** How long output may trail after a process, and an exit after its closed pipes. */
  readonly drainMs: number
  /** How long descendants that are about to end by themselves may take. */
  readonly descendantGraceMs: number
  /** From the end of the last process until its logs are collected. */
  readonly harvestMs: number
  /** Between two looks at something that gives no notice. */
  readonly pollMs: number
  /** One line of stdout. */
  readonly lineBytes: number
  /** Lines of stdout: short ones cost far more time than their bytes say. */
  readonly stdoutLines: number
  /** All of stdout. */
  readonly stdoutBytes: number
  /** All of stderr. */
  readonly stderrBytes: number
  /** The replay report. */
  readonly reportBytes: number
}

const mebibyte = 1024 * 1024

/** The bounds of a run where nobody says otherwise. */
export const defaultLimits: RunLimits = {
  exitGraceMs: 5_000,
  termGraceMs: 2_000,
  killWaitMs: 5_000,
  drainMs: 1_000,
  descendantGraceMs: 500,
  harvestMs: 10_000,
  pollMs: 20,
  lineBytes: 16 * mebibyte,
  stdoutLines: 100_000,
  stdoutBytes: 64 * mebibyte,
  stderrBytes: 16 * mebibyte,
  reportBytes: 16 * mebibyte,
}

/** The longest that a run takes after its own bound: until all is ended, collected and removed. */
export function endMs(limits: RunLimits): number {
  const { exitGraceMs, termGraceMs, killWaitMs, drainMs, descendantGraceMs, harvestMs } = limits
  return exitGraceMs + termGraceMs + 2 * killWaitMs + drainMs + descendantGraceMs + harvestMs
}

/** Bound on a run where neither the scenario nor the caller names one. */
export const defaultTimeoutMs = 60_000
