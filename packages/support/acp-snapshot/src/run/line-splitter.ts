const newline = 0x0a

/** Cuts a stream of bytes into lines, without their newlines. Bytes, so that no character is cut. */
export class LineSplitter {
  private pieces: Buffer[] = []
  private size = 0

  /** Bytes of the line that has not ended yet. */
  get pendingBytes(): number {
    return this.size
  }

  /** The lines that `chunk` completes, in order. */
  push(chunk: Buffer): Buffer[] {
    const lines: Buffer[] = []
    let start = 0
    for (;;) {
      const end = chunk.indexOf(newline, start)
      if (end === -1) break
      this.keep(chunk.subarray(start, end))
      lines.push(this.take())
      start = end + 1
    }
    this.keep(chunk.subarray(start))
    return lines
  }

  /** What came after the last newline, if anything; the next push starts afresh. */
  end(): Buffer | undefined {
    return this.size === 0 ? undefined : this.take()
  }

  private keep(piece: Buffer): void {
    if (piece.length === 0) return
    this.pieces.push(piece)
    this.size += piece.length
  }

  private take(): Buffer {
    const line = Buffer.concat(this.pieces)
    this.pieces = []
    this.size = 0
    return line
  }
}
