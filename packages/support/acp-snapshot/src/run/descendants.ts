import { type Clock, delay } from 'dsh-brand'
import type { RunLimits } from './limits.ts'
import type { ProcessDetails, ProcessEntry, ProcessTable } from './process-table.ts'

export interface DescendantsOptions {
  readonly table: ProcessTable
  readonly runId: string
  /** The real path of the run's folder. */
  readonly dir: string
  readonly clock: Clock
  readonly limits: RunLimits
  /** The harness itself, which is never a descendant. */
  readonly self: number
}

interface Found {
  readonly entry: ProcessEntry
  readonly command: string
}

const shownProcesses = 20
const shownCharacters = 200

/**
 * The processes of one run. One belongs to it by any of: its environment names the run, it works in
 * the run's folder, it is in the group or session of an agent, its parent belongs to the run, or it
 * was once seen to belong. One that was there before the run never does, wherever it works now.
 */
export class Descendants {
  private readonly options: DescendantsOptions
  private readonly before: ReadonlySet<string>
  private readonly agents = new Set<number>()
  private readonly seen = new Set<string>()

  private constructor(options: DescendantsOptions, before: ReadonlySet<string>) {
    this.options = options
    this.before = before
  }

  /** To be called before the first agent is started. */
  static async begin(options: DescendantsOptions): Promise<Descendants> {
    return new Descendants(options, new Set((await options.table.list()).map(identity)))
  }

  /** Counts what `pid` starts from now on. */
  addAgent(pid: number): void {
    this.agents.add(pid)
  }

  /**
   * Remembers who belongs now. One that hides every trace later, and whose parent is gone by then,
   * is still known.
   */
  async observe(): Promise<void> {
    await this.find()
  }

  /**
   * Ends what is left after the agent has ended. Those that end by themselves within the grace are
   * not mentioned. Bounded: one that cannot be killed is given up, and named with the others.
   * @returns the command lines of those that had to be killed
   */
  async end(): Promise<string[]> {
    const { limits, table } = this.options
    await this.whileAny(limits.descendantGraceMs, () => {})
    const left = new Map<string, string>()
    await this.whileAny(limits.killWaitMs, ({ entry, command }) => {
      // One that is dying no longer shows its command line, so the first look names it.
      if (!left.has(identity(entry))) {
        left.set(identity(entry), `${command.slice(0, shownCharacters)} (pid ${entry.pid})`)
      }
      table.kill(entry.pid)
    })
    return [...left.values()].slice(0, shownProcesses)
  }

  /** Looks again and again, and does `each`, until nobody is left or `ms` have passed. */
  private async whileAny(ms: number, each: (found: Found) => void): Promise<void> {
    const { clock, limits } = this.options
    const deadline = clock.monotonic() + ms
    for (;;) {
      const found = await this.find()
      if (found.length === 0 || clock.monotonic() >= deadline) return
      found.forEach(each)
      await delay(clock, limits.pollMs)
    }
  }

  private async find(): Promise<Found[]> {
    const entries = (await this.options.table.list()).filter(
      (entry) => entry.pid !== this.options.self && !this.before.has(identity(entry)),
    )
    const details = new Map<number, ProcessDetails>()
    for (const entry of entries) {
      const detail = await this.options.table.inspect(entry.pid)
      if (detail !== undefined) details.set(entry.pid, detail)
    }
    const ours = this.belonging(entries, details)
    return entries.flatMap((entry) => {
      const detail = details.get(entry.pid)
      if (detail === undefined || !ours.has(entry.pid)) return []
      this.seen.add(identity(entry))
      return [{ entry, command: detail.command }]
    })
  }

  private belonging(
    entries: readonly ProcessEntry[],
    details: ReadonlyMap<number, ProcessDetails>,
  ): ReadonlySet<number> {
    const ours = new Set<number>()
    for (const entry of entries) {
      if (this.isMarked(entry, details.get(entry.pid))) ours.add(entry.pid)
    }
    // Parents come before children only by habit, so this goes on until nothing changes.
    for (let size = -1; size !== ours.size; ) {
      size = ours.size
      for (const entry of entries) if (ours.has(entry.parent)) ours.add(entry.pid)
    }
    return ours
  }

  private isMarked(entry: ProcessEntry, details: ProcessDetails | undefined): boolean {
    return (
      this.seen.has(identity(entry)) ||
      this.agents.has(entry.group) ||
      this.agents.has(entry.session) ||
      details?.run === this.options.runId ||
      isWithin(this.options.dir, details?.cwd)
    )
  }
}

function identity(entry: ProcessEntry): string {
  return `${entry.pid} ${entry.started}`
}

/** A cwd that was removed shows as its old path with a remark behind it. */
function isWithin(dir: string, cwd: string | undefined): boolean {
  return cwd === dir || cwd?.startsWith(`${dir}/`) === true || cwd === `${dir} (deleted)`
}
