import { SnapshotError } from '../error.ts'
import type { RunFault } from './types.ts'

/** Ends a wait because the run was stopped; the reason is among the faults. Never leaves the run. */
export class Stopped extends SnapshotError {
  constructor() {
    super('STOPPED', 'the run was stopped')
  }
}

/** Faults after which the agent is not asked to end but made to. */
const hurried = new Set<RunFault['kind']>(['timeout', 'interrupted', 'output-too-large'])

/**
 * What went wrong in a run, and whether it goes on. The first stop wins: what follows from it would
 * only hide it. An interruption is always noted, since it decides what becomes of the folder.
 */
export class RunStop {
  readonly faults: RunFault[] = []
  private step: { readonly step: number; readonly op: string } | undefined
  private awaited = 'the agent to start'
  private readonly stopped = new AbortController()
  private readonly rushed = new AbortController()

  /** Aborts when the script must end. */
  get signal(): AbortSignal {
    return this.stopped.signal
  }

  /** Aborts when nothing may take its time any more. */
  get hurry(): AbortSignal {
    return this.rushed.signal
  }

  get interrupted(): boolean {
    return this.faults.some((fault) => fault.kind === 'interrupted')
  }

  /** What the script waits for at the moment, for the faults that end a wait. */
  get waitingFor(): string {
    const { step } = this
    return step === undefined ? this.awaited : `step ${step.step} (${step.op}): ${this.awaited}`
  }

  /** The script is at this step now. */
  enter(step: number, op: string): void {
    this.step = { step, op }
    this.awaited = 'its start'
  }

  /** The script is done. */
  leave(): void {
    this.step = undefined
    this.awaited = 'the agent to end'
  }

  /** Stops the run on account of the step that it is at. */
  failStep(message: string): void {
    this.stop({ kind: 'step-failed', ...(this.step ?? { step: 0, op: 'start' }), message })
  }

  /** A fault that lets the run go on. */
  note(fault: RunFault): void {
    this.faults.push(fault)
  }

  stop(fault: RunFault): void {
    if (!this.signal.aborted || (fault.kind === 'interrupted' && !this.interrupted)) {
      this.faults.push(fault)
    }
    this.stopped.abort()
    if (hurried.has(fault.kind)) this.rushed.abort()
  }

  /**
   * The outcome of `work`, unless the run is stopped first. `what` is what people read.
   * @throws Stopped, or what `work` rejects with
   */
  until<T>(work: Promise<T>, what: string): Promise<T> {
    this.awaited = what
    return new Promise((resolve, reject) => {
      const onAbort = (): void => reject(new Stopped())
      this.signal.addEventListener('abort', onAbort)
      work.then(resolve, reject).finally(() => this.signal.removeEventListener('abort', onAbort))
      if (this.signal.aborted) onAbort()
    })
  }
}
