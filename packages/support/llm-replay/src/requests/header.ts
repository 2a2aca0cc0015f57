import {
  applyRequestHeaderDelta,
  type RequestHeader,
  type RequestHeaderDelta,
  type SessionEvent,
} from 'dsh-session'
import { isRecord } from '../json.ts'

const SYSTEM_TOKEN = '{{system}}'
const TOOLS_TOKEN = '{{tools}}'
/** Numbered where a scenario holds several. */
const ANY_TOKEN = /^\{\{(?:system|tools)(?:\.\d+)?\}\}$/

/**
 * A request header as a log has it. Where the log is scrubbed, `system` and `tools` are the tokens
 * that stand for them, also after changes: the log does not say what they were.
 */
export type LoggedHeader = Omit<RequestHeader, 'tools'> & { readonly tools?: unknown }

export function isScrubbed(value: unknown): boolean {
  return typeof value === 'string' && ANY_TOKEN.test(value)
}

/** Follows the request header through a log that may still grow. */
export class HeaderWalk {
  private readonly events: readonly SessionEvent[]
  private header: LoggedHeader | undefined
  /** How many of the events have been taken in. */
  walked = 0

  constructor(events: readonly SessionEvent[]) {
    this.events = events
  }

  /**
   * The header in force after the first `count` events, no fewer than before. Headers of shapes that
   * are not known are passed over, as all readers do.
   * @throws SessionError `INVALID_EVENT` for a delta that does not fit; `walked` is its index
   */
  after(count: number): LoggedHeader | undefined {
    for (; this.walked < count; this.walked += 1) {
      const { type, data } = this.events[this.walked] as SessionEvent
      if (!isRecord(data)) continue
      if (type === 'request/header' && isHeader(data.header)) this.header = scrubbed(data.header)
      if (type === 'request/header-delta' && this.header !== undefined) {
        this.header = changed(this.header, data)
      }
    }
    return this.header
  }
}

function isHeader(header: unknown): header is LoggedHeader {
  return isRecord(header) && isRecord(header.config)
}

/** Whole headers and deltas are scrubbed in different forms; from here on there is one. */
function scrubbed(header: LoggedHeader): LoggedHeader {
  const { system, tools } = header
  return {
    ...header,
    ...(holdsToken(system) ? { system: SYSTEM_TOKEN } : {}),
    ...(holdsToken(tools) ? { tools: TOOLS_TOKEN } : {}),
  }
}

function holdsToken(value: unknown): boolean {
  if (typeof value === 'string') return value.split('\n').some(isScrubbed)
  return Array.isArray(value) && value.some(isScrubbed)
}

function changed(header: LoggedHeader, delta: RequestHeaderDelta): LoggedHeader {
  const { system, tools, ...rest } = delta
  // How many lines of a text changed that is not there says nothing about it.
  const known: RequestHeaderDelta = {
    ...rest,
    ...(system === undefined || header.system === SYSTEM_TOKEN ? {} : { system }),
    ...(tools === undefined || header.tools === TOOLS_TOKEN ? {} : { tools }),
  }
  return scrubbed(applyRequestHeaderDelta(header as RequestHeader, known))
}
