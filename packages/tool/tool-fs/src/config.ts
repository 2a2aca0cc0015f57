import { z } from 'zod'

/** The configuration of the row. */
export interface Config {
  /** Whether `write` and `edit` may act outside the session's cwd. */
  allowOutsideCwd?: boolean | undefined
  /** Further folders in which they may act; relative ones resolve against the cwd. */
  roots?: string[] | undefined
  /** Files with more bytes than this are not read. */
  maxReadBytes?: number | undefined
  /** Files with more bytes than this are not edited or overwritten. */
  maxEditBytes?: number | undefined
}

export const Config: z.ZodType<Config> = z
  .strictObject({
    allowOutsideCwd: z.boolean().optional(),
    roots: z.array(z.string().min(1)).optional(),
    maxReadBytes: z.int().min(1).optional(),
    maxEditBytes: z.int().min(1).optional(),
  } satisfies Record<keyof Config, z.ZodType>)
  .prefault({})

export interface Settings {
  readonly allowOutsideCwd: boolean
  readonly roots: readonly string[]
  readonly maxReadBytes: number
  readonly maxEditBytes: number
}

const MIB = 1024 * 1024

export function settingsOf(config: Config): Settings {
  return {
    allowOutsideCwd: config.allowOutsideCwd ?? false,
    roots: config.roots ?? [],
    maxReadBytes: config.maxReadBytes ?? 256 * MIB,
    maxEditBytes: config.maxEditBytes ?? 16 * MIB,
  }
}
