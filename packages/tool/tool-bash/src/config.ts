import { z } from 'zod'

/** The configuration of the row. */
export interface Config {
  /**
   * `scrubbed`: commands see nothing but PATH, HOME, a fixed locale and time zone. `inherit`: what the
   * agent sees, without secrets. Scrubbed where absent and `$DSH_SNAPSHOT` is set, else inherit.
   */
  environment?: 'inherit' | 'scrubbed' | undefined
  /**
   * `none`: commands run without network where the system allows it. None where absent and
   * `$DSH_SNAPSHOT` is `replay`, else inherit.
   */
  network?: 'inherit' | 'none' | undefined
}

export const Config: z.ZodType<Config> = z
  .strictObject({
    environment: z.enum(['inherit', 'scrubbed']).optional(),
    network: z.enum(['inherit', 'none']).optional(),
  } satisfies Record<keyof Config, z.ZodType>)
  .prefault({})

export type Environment = Readonly<Record<string, string | undefined>>

export interface Settings {
  readonly environment: 'inherit' | 'scrubbed'
  readonly network: 'inherit' | 'none'
}

/** An empty variable counts as unset. */
export function settingsOf(config: Config, env: Environment): Settings {
  const mode = env['DSH_SNAPSHOT'] ?? ''
  return {
    environment: config.environment ?? (mode === '' ? 'inherit' : 'scrubbed'),
    network: config.network ?? (mode === 'replay' ? 'none' : 'inherit'),
  }
}
