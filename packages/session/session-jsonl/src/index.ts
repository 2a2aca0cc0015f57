import type { Context } from '@deepseek-ai/cordis'
import { JsonlBackend } from './backend.ts'
import { type Config, resolveRoot } from './config.ts'

export * from './config.ts'
export * from './paths.ts'

export const name = 'session-jsonl'
export const inject: string[] = ['sessions']

/** Keeps the logs of all sessions as JSON Lines files. */
export function apply(ctx: Context, config: Config = {}): void {
  const backend = new JsonlBackend({
    root: resolveRoot(config),
    packChunks: config.packChunks ?? false,
  })
  ctx.sessions.useBackend(backend)
  for (const session of ctx.sessions.list()) backend.track(session)
  ctx.on('session/created', (session) => void backend.track(session))
  ctx.on('session/disposed', (session) => backend.forget(session))
  ctx.on('session/flush', (session) => backend.flush(session))
  ctx.effect(
    () => async () => {
      for (const error of await backend.flushAll()) ctx.logger.error(error)
    },
    'flush session logs',
  )
}
