/** What every process shows. */
export interface ProcessEntry {
  readonly pid: number
  readonly parent: number
  readonly group: number
  /** 0 where the system does not tell. */
  readonly session: number
  /** When it started, in the system's own words: a number that is used again differs in this. */
  readonly started: string
}

/** What only some processes show, and only to their owner. */
export interface ProcessDetails {
  /** The run that its environment names. */
  readonly run: string | undefined
  /** Where the system tells. */
  readonly cwd: string | undefined
  readonly command: string
}

/** The system's processes. Small, so that a test can play it. */
export interface ProcessTable {
  /** Every process that runs; one that has ended and waits to be collected does not. */
  list(): Promise<readonly ProcessEntry[]>
  /** Undefined where the process has ended since. What may not be read is left out, never thrown. */
  inspect(pid: number): Promise<ProcessDetails | undefined>
  /** SIGKILL. One that has ended since, or that is not ours to kill, is no error. */
  kill(pid: number): void
}

/** SIGKILL that does not mind a process that has ended. */
export function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // ESRCH: it has ended. EPERM: it shows as left, which is all that can be done.
  }
}
