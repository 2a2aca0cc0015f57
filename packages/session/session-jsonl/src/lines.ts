const LINE_FEED = 0x0a

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

/** Cuts a stream of bytes into lines, in time linear in the bytes however they are cut up. */
export class LineSplitter {
  // A byte order mark is kept, so that it fails to parse instead of vanishing.
  private readonly decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  private pieces: Buffer[] = []
  private offset = 0
  private count = 0

  /** The lines that these bytes complete. The bytes may be reused afterwards. */
  push(bytes: Buffer): Line[] {
    const lines: Line[] = []
    let start = 0
    for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, start)) {
      const rest = bytes.subarray(start, end)
      const line = this.pieces.length === 0 ? rest : Buffer.concat([...this.pieces, rest])
      this.pieces = []
      start = end + 1
      lines.push({ text: this.decode(line), number: ++this.count, end: this.offset + start })
    }
    if (start < bytes.length) this.pieces.push(Buffer.from(bytes.subarray(start)))
    this.offset += bytes.length
    return lines
  }

  /** What came after the last line feed, as a line; undefined where there is nothing. */
  rest(): Line | undefined {
    if (this.pieces.length === 0) return undefined
    const text = this.decode(Buffer.concat(this.pieces))
    return { text, number: this.count + 1, end: this.offset, torn: true }
  }

  private decode(line: Buffer): string | undefined {
    try {
      return this.decoder.decode(line)
    } catch {
      return undefined
    }
  }
}
