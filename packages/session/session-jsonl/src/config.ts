import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { z } from 'zod'

/** The configuration of the row. */
export interface Config {
  /** The folder that holds all logs; `$DSH_SNAPSHOT_SESSIONS_ROOT` or `~/.dsh/sessions` if absent. */
  root?: string | undefined
  /** Write runs of chunks as packed rows. Default false: the plain layout, one event a line. */
  packChunks?: boolean | undefined
}

export const Config: z.ZodType<Config> = z
  .strictObject({
    root: z.string().min(1).optional(),
    packChunks: z.boolean().optional(),
  } satisfies Record<keyof Config, z.ZodType>)
  .prefault({})

/** The absolute folder of the logs. Configuration beats environment; an empty variable is unset. */
export function resolveRoot(
  config: Config,
  env: Readonly<Record<string, string | undefined>> = process.env,
  home: () => string = homedir,
): string {
  const fromEnv = env.DSH_SNAPSHOT_SESSIONS_ROOT
  if (config.root !== undefined) return resolve(config.root)
  if (fromEnv !== undefined && fromEnv !== '') return resolve(fromEnv)
  return join(home(), '.dsh', 'sessions')
}
