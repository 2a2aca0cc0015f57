import { Config as AgentConfig } from 'dsh-agent'
import { z } from 'zod'

/** What every composition lets its row say about the spine. */
export interface SpineConfig {
  /** Where session logs go. */
  sessionsRoot?: string | undefined
  /** Write session logs with packed chunk rows. Default false. */
  packChunks?: boolean | undefined
  /** What the agent loop asks the model for, and when it asks again. */
  agent?: AgentConfig | undefined
}

/** The keys of the schema, for a composition that adds its own. */
export const spineShape: {
  readonly sessionsRoot: z.ZodOptional<z.ZodString>
  readonly packChunks: z.ZodOptional<z.ZodBoolean>
  readonly agent: z.ZodOptional<z.ZodType<AgentConfig>>
} = {
  sessionsRoot: z.string().min(1).optional(),
  packChunks: z.boolean().optional(),
  agent: AgentConfig.optional(),
} satisfies Record<keyof SpineConfig, z.ZodType>

export const SpineConfig: z.ZodType<SpineConfig> = z.strictObject(spineShape).prefault({})
