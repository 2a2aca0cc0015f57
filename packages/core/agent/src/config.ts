import { z } from 'zod'

/** Configuration of the agent loop. */
export interface Config {
  /** The model of every request. */
  model?: string | undefined
  temperature?: number | undefined
  maxTokens?: number | undefined
  stop?: string[] | undefined
  /** Replaces the built-in instructions; the working directory is always added. */
  systemPrompt?: string | undefined
}

export const DEFAULT_MODEL = 'deepseek-v4-flash'

export const Config: z.ZodType<Config> = z
  .strictObject({
    model: z.string().min(1).optional(),
    temperature: z.number().min(0).max(2).optional(),
    maxTokens: z.int().positive().optional(),
    stop: z.array(z.string().min(1)).optional(),
    systemPrompt: z.string().optional(),
  } satisfies Record<keyof Config, z.ZodType>)
  .prefault({})
