import { LineSplitter } from 'dsh-brand'

/** One line as it lies in a file. */
export interface Line {
  /** Undefined where the bytes are not UTF-8. */
  readonly text: string | undefined
  /** From 1. */
  readonly number: number
  /** The offset after its line feed. */
  readonly end: number
  /** It has no line feed. */
  readonly torn?: true
}

/** Numbers the lines of a stream of bytes, and decodes them. */
export class LineReader {
  // A byte order mark is kept, so that it fails to parse instead of vanishing.
  private readonly decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  private readonly splitter = new LineSplitter()
  private offset = 0
  private count = 0

  /** The lines that these bytes complete. The bytes may be reused afterwards. */
  push(bytes: Buffer): Line[] {
    return this.splitter.push(bytes).map((line) => {
      this.offset += line.length + 1
      this.count += 1
      return { text: this.decode(line), number: this.count, end: this.offset }
    })
  }

  /** What came after the last line feed, as a line; undefined where there is nothing. Comes last. */
  rest(): Line | undefined {
    const line = this.splitter.end()
    if (line === undefined) return undefined
    const end = this.offset + line.length
    return { text: this.decode(line), number: this.count + 1, end, torn: true }
  }

  private decode(line: Buffer): string | undefined {
    try {
      return this.decoder.decode(line)
    } catch {
      return undefined
    }
  }
}
