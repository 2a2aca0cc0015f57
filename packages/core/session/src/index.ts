import type { Context } from '@deepseek-ai/cordis'
import { SessionService, type SessionServiceOptions } from './service.ts'

export * from './envelope.ts'
export * from './error.ts'
export * from './header.ts'
export * from './line.ts'
export * from './lineage.ts'
export * from './log-text.ts'
export * from './lossless.ts'
export * from './request-header.ts'
export * from './seal.ts'
export * from './service.ts'
export * from './surface.ts'
export * from './surface-message.ts'
export * from './types.ts'

export const name = 'session'
export const inject: string[] = []

/** Mounts `ctx.sessions`, and `ctx.lineageOf` over the live sessions. */
export function apply(ctx: Context, options: SessionServiceOptions = {}): void {
  ctx.plugin(SessionService, options)
}
