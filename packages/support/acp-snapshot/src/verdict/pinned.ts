import { isFields } from '../log/lines.ts'
import { readRecords } from '../log/records.ts'

/** A request header as the readable files hold it. */
export interface PinnedHeader {
  /** `system.expected.txt`: the prompt, and a final newline of the file's own. */
  readonly system: string
  /** `tools.expected.json`: the schemas, indented. */
  readonly tools: string
}

/**
 * The first request header of a log that was normalised with `pinHeader`, for people to read.
 * Undefined where the log has none. An absent prompt is an empty text, absent tools are `[]`.
 */
export function pinnedHeader(log: string): PinnedHeader | undefined {
  for (const { value } of readRecords(log, 'session log')) {
    if (value['type'] !== 'request/header' || !isFields(value['data'])) continue
    const { header } = value['data']
    if (!isFields(header)) continue
    const { system = '', tools = [] } = header
    return { system: `${String(system)}\n`, tools: `${JSON.stringify(tools, null, 2)}\n` }
  }
  return undefined
}
