import { z } from 'zod'

/** Configuration of the registry. */
export interface Config {
  /** How deeply children may be nested: 1 lets a session have children, but not those. */
  maxDepth?: number | undefined
}

/** How deep delegation may go where the row does not say. */
export const DEFAULT_MAX_DEPTH = 3

export const Config: z.ZodType<Config> = z
  .strictObject({
    maxDepth: z.int().nonnegative().optional(),
  } satisfies Record<keyof Config, z.ZodType>)
  .prefault({})
