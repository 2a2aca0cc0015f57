import type { FileHandle } from 'node:fs/promises'
import { LineSplitter, messageOf } from 'dsh-brand'
import type { ReportRecord } from 'dsh-llm-replay'
import { SnapshotError } from '../error.ts'
import { openRegular } from '../files/regular-file.ts'
import { reportRecord } from './report-record.ts'

/**
 * Reads the replay report while it grows. Each look takes only what is new; a last line that is not
 * finished yet waits for the next look. Once a look has failed, every later one fails with the same.
 */
export class ReportFollower {
  /** All that was read so far, in order. */
  readonly records: ReportRecord[] = []
  private readonly file: string
  private readonly maxBytes: number
  private readonly splitter = new LineSplitter()
  private offset = 0
  private line = 0
  private looked: Promise<void> = Promise.resolve()

  constructor(file: string, maxBytes: number) {
    this.file = file
    this.maxBytes = maxBytes
  }

  /**
   * Reads on. A report that does not exist yet is empty.
   * @throws SnapshotError `BAD_REPORT` with the line
   */
  look(): Promise<void> {
    // One after the other: a look that nobody waits for any more may still be reading.
    this.looked = this.looked.then(() => this.readOn())
    return this.looked
  }

  /**
   * Reads to the end, when nobody writes any more.
   * @throws SnapshotError `BAD_REPORT`, also where the last line is not finished
   */
  async finish(): Promise<void> {
    await this.look()
    const rest = this.splitter.end()
    if (rest !== undefined) {
      throw this.error(`line ${this.line + 1} is not finished: ${shown(rest.toString('utf8'))}`)
    }
  }

  private async readOn(): Promise<void> {
    for (const line of this.splitter.push(await this.readNew())) {
      this.line += 1
      this.records.push(this.parse(line.toString('utf8')))
    }
  }

  private parse(text: string): ReportRecord {
    try {
      return reportRecord.parse(JSON.parse(text))
    } catch (error) {
      throw this.error(
        `line ${this.line} is not a record: ${shown(text)}: ${messageOf(error)}`,
        error,
      )
    }
  }

  private async readNew(): Promise<Buffer> {
    try {
      const handle = await openRegular(this.file)
      try {
        return await this.readFrom(handle)
      } finally {
        await handle.close()
      }
    } catch (error) {
      if (error instanceof SnapshotError && error.code === 'BAD_REPORT') throw error
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0)
      throw this.error(`it cannot be read: ${messageOf(error)}`, error)
    }
  }

  private async readFrom(handle: FileHandle): Promise<Buffer> {
    const { size } = await handle.stat()
    if (size < this.offset) {
      throw this.error(`it shrank from ${this.offset} to ${size} bytes, but is append-only`)
    }
    if (size > this.maxBytes) throw this.error(`it is larger than ${this.maxBytes} bytes`)
    const buffer = Buffer.alloc(size - this.offset)
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, this.offset)
    this.offset += bytesRead
    return buffer.subarray(0, bytesRead)
  }

  private error(why: string, cause?: unknown): SnapshotError {
    return new SnapshotError('BAD_REPORT', `replay report ${this.file}: ${why}`, { cause })
  }
}

function shown(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}
