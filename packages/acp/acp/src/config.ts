import { z } from 'zod'

/** Configuration of the bridge. */
export interface Config {
  /** What clients are told about the agent. */
  name?: string | undefined
  title?: string | undefined
  version?: string | undefined
}

export const Config: z.ZodType<Config> = z
  .strictObject({
    name: z.string().min(1).optional(),
    title: z.string().min(1).optional(),
    version: z.string().min(1).optional(),
  } satisfies Record<keyof Config, z.ZodType>)
  .prefault({})
