import type { Context } from '@deepseek-ai/cordis'
import { SessionService, type SessionServiceOptions } from './service.ts'

export * from './envelope.ts'
export * from './error.ts'
export * from './header.ts'
export {
  decodeRecordLine,
  parseEventLine,
  parseHeaderLine,
  type ParseOptions,
  serializeEvent,
  serializeHeader,
  serializeRecord,
} from './line.ts'
export * from './lineage.ts'
export * from './log-converter.ts'
export * from './log-text.ts'
export * from './lossless.ts'
export * from './pack.ts'
export * from './projected.ts'
export * from './record-reader.ts'
export * from './request-header.ts'
export { deepFreeze, sealJson, sealParsed } from './seal.ts'
export * from './service.ts'
export * from './storage-row.ts'
export * from './surface.ts'
export * from './surface-message.ts'
export * from './types.ts'
export * from './unpack.ts'

export const name = 'session'
export const inject: string[] = []

/** Mounts `ctx.sessions`, and `ctx.lineageOf` over the live sessions. */
export function apply(ctx: Context, options: SessionServiceOptions = {}): void {
  ctx.plugin(SessionService, options)
}
