import { messageOf } from 'dsh-brand'
import {
  ChunkPacker,
  parseHeaderLine,
  RecordReader,
  SessionError,
  serializeEvent,
  serializeRecord,
  type SessionEvent,
  type StorageRecord,
} from 'dsh-session'
import type { Line } from '../lines.ts'
import { linesOf } from './source.ts'

export type Layout = 'pack' | 'unpack'

/**
 * Rewrites a log in the other layout, piece by piece. Lines that the layout does not concern keep
 * their bytes; a projected log comes out complete. Unlike loading, this drops nothing: a log that
 * cannot be read whole is an error.
 * @throws SessionError `CORRUPT_LOG` naming file and line, `UNSUPPORTED_VERSION`; what reading throws.
 */
export async function* convertLog(
  file: string,
  bytes: AsyncIterable<Uint8Array>,
  layout: Layout,
): AsyncGenerator<string> {
  const converter = new Converter(layout)
  let number = 0
  for await (const lines of linesOf(bytes)) {
    for (const line of lines) {
      number = line.number
      try {
        converter.line(line)
      } catch (cause) {
        throw new SessionError('CORRUPT_LOG', `${file}:${number}: ${messageOf(cause)}`, { cause })
      }
    }
    yield converter.take()
  }
  if (number === 0) throw new SessionError('CORRUPT_LOG', `${file}: the session log is empty`)
  converter.end()
  yield converter.take()
}

class Converter {
  // Gaps in seq and headers without a version are what hand-written fixtures have.
  private readonly reader = new RecordReader({ tolerant: true })
  private readonly texts = new WeakMap<StorageRecord, string>()
  private readonly packer: ChunkPacker | undefined
  private headed = false
  private out = ''

  constructor(layout: Layout) {
    if (layout === 'pack') {
      this.packer = new ChunkPacker((record) =>
        this.write(this.texts.get(record) ?? serializeRecord(record)),
      )
    }
  }

  line({ text }: Line): void {
    if (text === undefined) throw new SessionError('CORRUPT_LOG', 'not UTF-8')
    if (!this.headed) {
      parseHeaderLine(text, { tolerant: true })
      this.headed = true
      this.write(text)
      return
    }
    const { rows } = this.reader
    const events = this.reader.read(text)
    const asItIs = this.reader.rows === rows && !this.reader.projected
    for (const event of events) this.event(event, asItIs ? text : undefined)
  }

  end(): void {
    this.packer?.end()
  }

  /** What is done since the last time. */
  take(): string {
    const { out } = this
    this.out = ''
    return out
  }

  private event(event: SessionEvent, text: string | undefined): void {
    if (this.packer === undefined) this.write(text ?? serializeEvent(event))
    else {
      if (text !== undefined) this.texts.set(event, text)
      this.packer.push(event)
    }
  }

  private write(line: string): void {
    this.out += `${line}\n`
  }
}
