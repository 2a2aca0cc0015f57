import { DshError } from 'dsh-brand'
import { z } from 'zod'

/** Configuration of the bridge. */
export interface Config {
  /** What clients are told the agent is called. Default `dsh-acp`. */
  name?: string | undefined
  /** The same for people to read. Default: none. */
  title?: string | undefined
  /** The version that clients are told. Default `0.1.0`. */
  version?: string | undefined
  /**
   * The ordinal of the first session that is opened here: how many roots earlier processes of the
   * same run have opened. Default `$DSH_SNAPSHOT_FIRST_ROOT`, else 0.
   */
  firstRoot?: number | undefined
}

export const Config: z.ZodType<Config> = z
  .strictObject({
    name: z.string().min(1).optional(),
    title: z.string().min(1).optional(),
    version: z.string().min(1).optional(),
    firstRoot: z.int().nonnegative().optional(),
  } satisfies Record<keyof Config, z.ZodType>)
  .prefault({})

/**
 * A session of a restarted agent must not get the place of one that was opened before the restart.
 * @throws DshError `INVALID_CONFIG` for a variable that is no ordinal; an empty one counts as unset.
 */
export function firstRootOf(
  config: Config,
  env: Readonly<Record<string, string | undefined>>,
): number {
  const text = env['DSH_SNAPSHOT_FIRST_ROOT'] || '0'
  const given = config.firstRoot ?? Number(text)
  if (config.firstRoot === undefined && (!/^\d+$/.test(text) || !Number.isSafeInteger(given))) {
    throw new DshError(
      'INVALID_CONFIG',
      `DSH_SNAPSHOT_FIRST_ROOT must be a whole number from 0, got "${text}"; unset it outside snapshot runs`,
    )
  }
  return given
}
