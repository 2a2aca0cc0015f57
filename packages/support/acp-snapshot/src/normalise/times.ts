import { isTime } from 'dsh-llm-replay'
import { isRowTag } from 'dsh-session'
import { type Fields, isFields } from '../log/lines.ts'

/** What a model wrote is data, whatever its keys look like. */
const OPAQUE = new Set(['rawInput', 'arguments'])

/** Durations and points in time become 0, at any depth. */
export function zeroTimes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(zeroTimes)
  if (!isFields(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      if (OPAQUE.has(key)) return [key, item]
      return [key, typeof item === 'number' && isTime(key, item) ? 0 : zeroTimes(item)]
    }),
  )
}

/** The envelope of an event or a packed row. A projected line has no times and gets none. */
export function zeroEnvelope(line: Fields): Fields {
  const out: Record<string, unknown> = { ...line }
  if ('time' in out) out['time'] = 0
  if ('time0' in out) out['time0'] = 0
  if ('data' in out) out['data'] = zeroTimes(out['data'])
  const { type, data } = out
  // Partly chance. The key means a setting in other places, so it is one here alone.
  if (type === 'llm/retry' && isFields(data) && typeof data['delayMs'] === 'number') {
    out['data'] = { ...data, delayMs: 0 }
  }
  if (isRowTag(type) && isFields(data) && Array.isArray(data['dt'])) {
    out['data'] = { ...data, dt: data['dt'].map(() => 0) }
  }
  return out
}
