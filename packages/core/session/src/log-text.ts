import { messageOf } from 'dsh-brand'
import { SeqGapError, SessionError } from './error.ts'
import { type ParseOptions, parseHeaderLine } from './line.ts'
import { RecordReader } from './record-reader.ts'
import type { SessionEvent, StoredLog } from './types.ts'

/**
 * Parses a whole log, header included, in whatever layout it has. The last line may lack its line
 * feed; an empty line anywhere else is an error, since a log that cannot be read whole must not
 * pass for one that can.
 * @throws SessionError `CORRUPT_LOG` naming the line, `UNSUPPORTED_VERSION`.
 */
export function parseLogText(text: string, options: ParseOptions = {}): StoredLog {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  const [first, ...rest] = lines
  if (first === undefined) throw new SessionError('CORRUPT_LOG', 'the session log is empty')
  const header = parseHeaderLine(first, options)
  const reader = new RecordReader(options)
  const events: SessionEvent[] = []
  for (const [index, line] of rest.entries()) {
    try {
      for (const event of reader.read(line)) events.push(event)
    } catch (cause) {
      throw new SessionError('CORRUPT_LOG', describe(cause, index + 2), { cause })
    }
  }
  return { header, events }
}

function describe(error: unknown, lineNumber: number): string {
  if (error instanceof SeqGapError) {
    return `seq gap at line ${lineNumber} (expected ${error.expected}, got ${error.got})`
  }
  return `invalid session event at line ${lineNumber}: ${messageOf(error)}`
}
