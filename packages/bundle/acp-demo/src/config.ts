import { Config as AcpConfig } from 'dsh-acp'
import { Config as AgentConfig } from 'dsh-agent'
import { z } from 'zod'

/** Configuration of the composition; each part is passed on to the plugin of that name. */
export interface Config {
  /** Where session logs go. */
  sessionsRoot?: string | undefined
  /** Write session logs with packed chunk rows. Default false. */
  packChunks?: boolean | undefined
  agent?: AgentConfig | undefined
  acp?: AcpConfig | undefined
}

export const Config: z.ZodType<Config> = z
  .strictObject({
    sessionsRoot: z.string().min(1).optional(),
    packChunks: z.boolean().optional(),
    agent: AgentConfig.optional(),
    acp: AcpConfig.optional(),
  } satisfies Record<keyof Config, z.ZodType>)
  .prefault({})
