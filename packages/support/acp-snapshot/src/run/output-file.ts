import { createWriteStream, type WriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'

/** A file that grows while the run goes on. Errors wait for `close`, so that writing never throws. */
export class OutputFile {
  private readonly stream: WriteStream
  private readonly done: Promise<void>

  constructor(file: string) {
    this.stream = createWriteStream(file, { flags: 'a', mode: 0o600 })
    this.done = finished(this.stream)
    this.done.catch(() => {})
  }

  write(chunk: Buffer): void {
    this.stream.write(chunk)
  }

  /** Resolves once everything is in the file. @throws what opening or writing the file failed with */
  async close(): Promise<void> {
    this.stream.end()
    await this.done
  }
}
