import { messageOf } from 'dsh-brand'
import {
  decodeRecordLine,
  parseHeaderLine,
  RecordReader,
  SeqGapError,
  SessionError,
  type SessionEvent,
  type SessionHeader,
} from 'dsh-session'
import type { Line } from './lines.ts'
import { OpenTurn } from './open-turn.ts'

export interface LogScannerOptions {
  /** Takes the events of each valid line. */
  readonly keep: (events: readonly SessionEvent[]) => void
  /** Accepts the projected form, which can be read but not gone on with. Default false. */
  readonly projected?: boolean
}

/**
 * Takes in a log line by line and gives out its valid beginning. Damage is only damage once a valid
 * `turn/end` follows it: what lies after the last one was never committed. Holds no events.
 */
export class LogScanner {
  readonly openTurn: OpenTurn = new OpenTurn()
  readonly reader: RecordReader
  /** The bytes up to the end of the last valid line. */
  validSize = 0
  private parsedHeader: SessionHeader | undefined
  private damaged: SessionError | undefined
  private readonly file: string
  private readonly keep: LogScannerOptions['keep']

  /** @param file names the log in messages. */
  constructor(file: string, { keep, projected = false }: LogScannerOptions) {
    this.file = file
    this.keep = keep
    this.reader = new RecordReader({ complete: !projected })
  }

  /** What is wrong with the first line that is not valid; nothing behind it counts. */
  get damage(): SessionError | undefined {
    return this.damaged
  }

  /** @throws SessionError `CORRUPT_LOG` when there was no complete line. */
  get header(): SessionHeader {
    if (this.parsedHeader !== undefined) return this.parsedHeader
    throw this.corrupt('it has no complete header line')
  }

  /** @throws SessionError `CORRUPT_LOG` for damage in the committed region, `UNSUPPORTED_VERSION`. */
  line(line: Line): void {
    if (this.parsedHeader === undefined) {
      this.parsedHeader = this.parseHeader(line)
      this.validSize = line.end
    } else if (this.damaged === undefined) {
      this.damaged = this.accept(line)
    } else if (endsTurn(line)) {
      throw this.damaged
    }
  }

  private parseHeader({ text }: Line): SessionHeader {
    try {
      return parseHeaderLine(decoded(text))
    } catch (error) {
      if (error instanceof SessionError && error.code === 'UNSUPPORTED_VERSION') throw error
      throw this.corrupt(messageOf(error), error)
    }
  }

  private accept(line: Line): SessionError | undefined {
    let events: readonly SessionEvent[]
    try {
      events = this.reader.read(decoded(line.text))
    } catch (error) {
      return this.corrupt(describe(error, line.number), error)
    }
    for (const event of events) this.openTurn.observe(event)
    this.keep(events)
    this.validSize = line.end
    return undefined
  }

  private corrupt(what: string, cause?: unknown): SessionError {
    return new SessionError('CORRUPT_LOG', `corrupt session log: ${what} in ${this.file}`, {
      cause,
    })
  }
}

function describe(error: unknown, line: number): string {
  if (error instanceof SeqGapError) {
    const { expected, got } = error
    return `seq gap in committed region at line ${line} (expected ${expected}, got ${got})`
  }
  return `unparsable committed event at line ${line} (${messageOf(error)})`
}

function decoded(text: string | undefined): string {
  if (text === undefined) throw new Error('not UTF-8')
  return text
}

/** Whether a line behind damage proves that what lies before it was committed. */
function endsTurn({ text, number }: Line): boolean {
  // Parsing every line behind the damage would be wasted on all but a few.
  if (text?.includes('"turn/end"') !== true) return false
  try {
    return decodeRecordLine(text, number).some((event) => event.type === 'turn/end')
  } catch {
    return false
  }
}
