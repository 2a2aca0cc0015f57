import {
  access,
  constants,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type IdSource, messageOf, systemIds } from 'dsh-brand'
import { SnapshotError } from '../error.ts'
import { classify } from '../scenario/files.ts'
import { loadScenario } from '../scenario/load.ts'
import type { Scenario } from '../scenario/types.ts'
import { type Lock, takeLock } from './lock.ts'
import { changedFiles, placeFiles } from './place.ts'
import { replaceFolder } from './replace-folder.ts'

/** Where a workbench puts what it makes. */
export interface WorkbenchOptions {
  /** A folder that receives a whole copy of the scenario instead of the scenario's own folder. */
  readonly out?: string
  /** Names the holder of the lock. Default: the machine's own. */
  readonly ids?: IdSource
}

/**
 * Where the new files of one scenario are made: a folder beside the old ones, on the same file
 * system and unseen by every reader of scenarios, held by one process at a time. Nothing that is
 * committed changes before `publish`.
 */
export class Workbench {
  /** The scenario's own folder. */
  readonly source: string
  private readonly scenario: Scenario
  private readonly target: string
  private readonly inPlace: boolean
  private readonly staged: string
  private readonly lock: Lock

  private constructor(scenario: Scenario, out: string | undefined, staged: string, lock: Lock) {
    this.source = scenario.dir
    this.scenario = scenario
    this.target = targetOf(scenario, out)
    this.inPlace = out === undefined
    this.staged = staged
    this.lock = lock
  }

  /**
   * Before anything is run: where nothing can be written, no model is to be asked.
   * @throws SnapshotError `BUSY`, `CANNOT_WRITE`
   */
  static async open(scenario: Scenario, options: WorkbenchOptions = {}): Promise<Workbench> {
    const { out, ids = systemIds } = options
    const target = targetOf(scenario, out)
    const parent = dirname(target)
    const hidden = `.${basename(target)}`
    return writing(target, async () => {
      await mkdir(parent, { recursive: true })
      // Renaming into it comes last, and a model that was asked in vain may have cost money.
      if (out === undefined) await access(target, constants.W_OK)
      const lock = await takeLock(join(parent, `${hidden}.lock`), { ids })
      try {
        // Left behind by an owner that was killed; a draft of one that waits is of no use to it now.
        const left = [`${hidden}.staged-`, `${hidden}.lock.`]
        for (const entry of await readdir(parent)) {
          if (left.some((name) => entry.startsWith(name))) await removeAll(join(parent, entry))
        }
        const staged = await mkdtemp(join(parent, `${hidden}.staged-`))
        return new Workbench(scenario, out, staged, lock)
      } catch (error) {
        await lock.release()
        throw error
      }
    })
  }

  /**
   * The scenario with these files in place of what it has, as a folder of its own.
   * @throws SnapshotError `CANNOT_WRITE`; what `loadScenario` finds wrong with it
   */
  async stage(files: ReadonlyMap<string, string>, logs: 'replaced' | 'kept'): Promise<Scenario> {
    const { scenario, staged } = this
    await writing(this.target, async () => {
      for (const name of await readdir(scenario.dir)) {
        const old = logs === 'replaced' && classify(name)?.kind === 'log'
        if (old || files.has(name) || name.startsWith('.')) continue
        await cp(join(scenario.dir, name), join(staged, name), {
          recursive: true,
          verbatimSymlinks: true,
        })
      }
      for (const [name, text] of files) {
        await writeFile(join(staged, name), text, { flush: true })
      }
    })
    return loadScenario(staged, { name: scenario.name })
  }

  /**
   * Puts the staged files in their place.
   * @returns the names of the files that changed, went, or are new
   * @throws SnapshotError `CANNOT_WRITE`, with the old files as they were
   */
  async publish(files: ReadonlyMap<string, string>): Promise<string[]> {
    const { scenario, staged, target } = this
    return writing(target, async () => {
      if (!this.inPlace) return this.replaceTarget(files)
      const logs = [...files.keys()].some((name) => classify(name)?.kind === 'log')
      const old = scenario.logFiles.map((file) => basename(file))
      const remove = logs ? old.filter((name) => !files.has(name)) : []
      return placeFiles(scenario.dir, staged, { files, remove })
    })
  }

  /** Lets go of the scenario and removes what was not published. */
  async close(): Promise<void> {
    await removeAll(this.staged)
    await this.lock.release()
  }

  private async replaceTarget(files: ReadonlyMap<string, string>): Promise<string[]> {
    const { staged, target } = this
    const changed = await changedFiles(target, files)
    const whole = join(staged, '.whole')
    await mkdir(whole)
    for (const name of await readdir(staged)) {
      if (!name.startsWith('.')) await rename(join(staged, name), join(whole, name))
    }
    await replaceFolder(target, whole, join(staged, '.old'))
    return changed
  }
}

function targetOf(scenario: Scenario, out: string | undefined): string {
  return out === undefined ? scenario.dir : join(out, scenario.name)
}

/** Only what the file system refuses is rewritten; our own errors say what they mean. */
async function writing<T>(target: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof SnapshotError) throw cause
    throw new SnapshotError(
      'CANNOT_WRITE',
      `cannot write ${target}: ${messageOf(cause)}; what was there is unchanged`,
      { cause },
    )
  }
}

function removeAll(dir: string): Promise<void> {
  return rm(dir, { recursive: true, force: true })
}
