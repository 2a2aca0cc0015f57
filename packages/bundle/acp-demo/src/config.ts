import { Config as AcpConfig } from 'dsh-acp'
import { type SpineConfig, spineShape } from 'dsh-spine'
import { z } from 'zod'

/** Configuration of the composition; each part is passed on to the plugin of that name. */
export interface Config extends SpineConfig {
  /** What the bridge tells its clients, and where it counts sessions from. */
  acp?: AcpConfig | undefined
}

export const Config: z.ZodType<Config> = z
  .strictObject({
    ...spineShape,
    acp: AcpConfig.optional(),
  } satisfies Record<keyof Config, z.ZodType>)
  .prefault({})
