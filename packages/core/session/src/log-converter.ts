import { parseHeaderLine, serializeEvent, serializeRecord } from './line.ts'
import { ChunkPacker } from './pack.ts'
import { RecordReader } from './record-reader.ts'
import type { SessionEvent, StorageRecord } from './types.ts'

/** With runs of chunks as rows, or with one event a line. */
export type LogLayout = 'pack' | 'unpack'

/**
 * Brings a log into one layout, line by line. Lines that the layout does not concern keep their
 * bytes; a projected log comes out complete. Drops nothing, and takes what hand-written fixtures
 * have: gaps in `seq`, headers without a version.
 */
export class LogConverter {
  private readonly reader = new RecordReader({ tolerant: true })
  private readonly texts = new WeakMap<StorageRecord, string>()
  private readonly packer: ChunkPacker | undefined
  private readonly write: (line: string) => void
  private headed = false

  /** @param write takes each line that is done, without its line feed. */
  constructor(layout: LogLayout, write: (line: string) => void) {
    this.write = write
    if (layout === 'pack') {
      this.packer = new ChunkPacker((record) =>
        write(this.texts.get(record) ?? serializeRecord(record)),
      )
    }
  }

  /**
   * Takes the next line, the header first.
   * @throws SessionError `CORRUPT_LOG`, `UNSUPPORTED_VERSION`; the place is for the caller to say.
   */
  line(text: string): void {
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

  /** Gives out what was held back. Comes last. */
  end(): void {
    this.packer?.end()
  }

  private event(event: SessionEvent, text: string | undefined): void {
    if (this.packer === undefined) this.write(text ?? serializeEvent(event))
    else {
      if (text !== undefined) this.texts.set(event, text)
      this.packer.push(event)
    }
  }
}
