import type { Context } from '@deepseek-ai/cordis'
import { type Config, settingsOf } from './config.ts'
import { NetworkIsolation } from './network.ts'
import { runProcess } from './run.ts'
import { bashTool } from './tool.ts'

export { Config } from './config.ts'

export const name = 'tool-bash'
export const inject: string[] = ['tools']

// What the system allows does not change while the process lives, however often plugins reload.
const isolation = new NetworkIsolation(runProcess)

/** Offers `bash`. */
export function apply(ctx: Context, config: Config): void {
  const { env } = process
  const settings = settingsOf(config, env)
  const warn = (message: string): void => ctx.logger('tool-bash').warn(message)
  ctx.tools.register(bashTool({ settings, env, isolation, warn }))
}
