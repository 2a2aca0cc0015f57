import type { Stats } from 'node:fs'
import { resolve } from 'node:path'
import { type IdSource, systemIds } from 'dsh-brand'
import type { ToolCallContext } from 'dsh-tools'
import { type Config, type Settings, settingsOf } from './config.ts'
import { writeTarget } from './containment.ts'
import { FsError } from './error.ts'
import { KeyedLocks } from './locks.ts'
import { Observations, versionOf } from './observations.ts'
import { readWhole } from './open-file.ts'
import { writeFileAtomic } from './write-file.ts'

/** A file as it is before a change. */
export interface CurrentFile {
  readonly bytes: Buffer
  readonly stats: Stats
}

/** One change of one file, while nobody else changes it. */
export interface Change {
  /** Absolute, as the model means it. */
  readonly path: string
  /** undefined where there is no such file. */
  readonly current: CurrentFile | undefined
  /** @throws FsError `FS_NOT_OBSERVED`, `FS_STALE_VERSION`. */
  requireObserved(): void
  /** Replaces or creates the file; counts as having read it. */
  write(bytes: Buffer): Promise<void>
}

/** What the three tools share: the configuration, and what each session has seen. */
export class Files {
  readonly settings: Settings
  readonly observations: Observations = new Observations()
  private readonly ids: IdSource
  private readonly locks: KeyedLocks = new KeyedLocks()

  constructor(config: Config, ids: IdSource = systemIds) {
    this.settings = settingsOf(config)
    this.ids = ids
  }

  /**
   * Runs one change of one file; changes of the same file, by whatever name and session, take turns.
   * @throws FsError, and what `run` throws.
   */
  async change<T>(
    tool: string,
    filePath: string,
    context: ToolCallContext,
    run: (change: Change) => Promise<T>,
  ): Promise<T> {
    const path = resolve(context.cwd, filePath)
    const { real } = await writeTarget(path, context.cwd, this.settings)
    return this.locks.run(real, async () => {
      const current = await this.load(real, path, context.signal)
      return run({
        path,
        current,
        requireObserved: () => this.requireObserved(tool, path, real, context, current),
        write: async (bytes) => {
          await writeFileAtomic({ file: real, path, bytes, previous: current?.stats }, this.ids)
          this.observations.record(context.session, real, versionOf(bytes))
        },
      })
    })
  }

  private async load(
    real: string,
    path: string,
    signal: AbortSignal,
  ): Promise<CurrentFile | undefined> {
    try {
      return await readWhole(real, { path, maxBytes: this.settings.maxEditBytes, signal })
    } catch (error) {
      if (error instanceof FsError && error.code === 'FS_NOT_FOUND') return undefined
      throw error
    }
  }

  private requireObserved(
    tool: string,
    path: string,
    real: string,
    context: ToolCallContext,
    current: CurrentFile | undefined,
  ): void {
    if (current === undefined) return
    switch (this.observations.check(context.session, real, versionOf(current.bytes))) {
      case 'none':
        throw new FsError('FS_NOT_OBSERVED', `${tool} requires reading "${path}" first`)
      case 'stale':
        throw new FsError(
          'FS_STALE_VERSION',
          `"${path}" has changed since it was last read; read it again first`,
        )
      case 'current':
    }
  }
}
