import { SessionError } from './error.ts'
import { decodeRecordLine, type ParseOptions, parseHeaderLine } from './line.ts'
import type { SessionEvent, StoredLog } from './types.ts'

/**
 * Parses a whole log, header included. The last line may lack its line feed; an empty line anywhere
 * else is an error, since a log that cannot be read whole must not pass for one that can.
 * @throws SessionError `CORRUPT_LOG` naming the line, `UNSUPPORTED_VERSION`.
 */
export function parseLogText(text: string, options: ParseOptions = {}): StoredLog {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  const [first, ...rest] = lines
  if (first === undefined) throw new SessionError('CORRUPT_LOG', 'the session log is empty')
  const header = parseHeaderLine(first, options)
  const events: SessionEvent[] = []
  for (const [index, line] of rest.entries()) {
    const lineNumber = index + 2
    for (const event of decodeRecordLine(line, lineNumber, options)) {
      if (options.tolerant !== true && event.seq !== events.length) {
        throw new SessionError(
          'CORRUPT_LOG',
          `seq gap at line ${lineNumber} (expected ${events.length}, got ${event.seq})`,
        )
      }
      events.push(event)
    }
  }
  return { header, events }
}
