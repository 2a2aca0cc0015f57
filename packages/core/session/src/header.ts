import { isCount } from './envelope.ts'
import { inKeyOrder } from './key-order.ts'
import { deepFreeze } from './seal.ts'
import { SESSION_FORMAT_VERSION, type SessionHeader, type SessionId } from './types.ts'

/** What a new header is made of; what is absent is omitted. */
export interface HeaderParts {
  readonly id: SessionId
  readonly createdAt: number
  readonly cwd?: string | undefined
  readonly parentSession?: SessionId | undefined
  readonly seedLength?: number | undefined
  readonly spawnedBy?: SessionHeader['spawnedBy'] | undefined
  readonly root?: number | undefined
}

/** A frozen header in the key order of the format. */
export function buildHeader(parts: HeaderParts): SessionHeader {
  return deepFreeze(orderHeader({ ...parts, type: 'session', version: SESSION_FORMAT_VERSION }))
}

const HEADER_KEYS = [
  'type',
  'version',
  'id',
  'createdAt',
  'cwd',
  'parentSession',
  'seedLength',
  'spawnedBy',
  'root',
]
const PLACE_KEYS = ['turn', 'step', 'call', 'plugin', 'index', 'callId']

/** Known keys in the order of the format, as `inKeyOrder`, those of `spawnedBy` too; no absent ones. */
export function orderHeader(header: object): SessionHeader {
  const { spawnedBy } = header as { readonly spawnedBy?: object }
  const whole =
    spawnedBy === undefined ? header : { ...header, spawnedBy: ordered(spawnedBy, PLACE_KEYS) }
  return ordered(whole, HEADER_KEYS) as unknown as SessionHeader
}

function ordered(value: object, known: readonly string[]): object {
  const present = Object.entries(value).filter(([, field]) => field !== undefined)
  return inKeyOrder(Object.fromEntries(present), known)
}

/** Says what is wrong with a parsed header, its version apart, or undefined. */
export function headerProblem(header: Readonly<Record<string, unknown>>): string | undefined {
  if (header.type !== 'session') return '"type" must be "session"'
  if (!isFilled(header.id)) return '"id" must be a non-empty string'
  if (!isCount(header.createdAt)) return '"createdAt" must be epoch milliseconds'
  if ('cwd' in header && !isFilled(header.cwd)) return '"cwd" must be a non-empty string'
  if ('parentSession' in header && !isFilled(header.parentSession)) {
    return '"parentSession" must be a non-empty string'
  }
  if ('seedLength' in header && !isCount(header.seedLength)) {
    return '"seedLength" must be a non-negative integer'
  }
  if ('root' in header && !isCount(header.root)) return '"root" must be a non-negative integer'
  if ('spawnedBy' in header && !isSpawnedBy(header.spawnedBy)) {
    return '"spawnedBy" must be {turn, step, call or plugin, index, callId?}'
  }
  return undefined
}

function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function isSpawnedBy(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { turn, step, call, plugin, index, callId } = value as Record<string, unknown>
  const byCall = isCount(call) && plugin === undefined
  const byPlugin = isFilled(plugin) && call === undefined
  return (
    isCount(turn) &&
    isCount(step) &&
    isCount(index) &&
    (byCall || byPlugin) &&
    (callId === undefined || isFilled(callId))
  )
}
