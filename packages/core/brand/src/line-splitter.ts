const newline = 0x0a

/**
 * Cuts a stream of bytes into lines, without their newlines. Bytes, so that no character is cut. Takes
 * time linear in the bytes, however they are cut up.
 */
export class LineSplitter {
  private pieces: Buffer[] = []
  private size = 0

  /** Bytes of the line that has not ended yet. */
  get pendingBytes(): number {
    return this.size
  }

  /**
   * The lines that `chunk` completes, in order. They may share its memory; what is left of it is
   * copied, so that it may be reused once they were looked at.
   */
  push(chunk: Buffer): Buffer[] {
    const lines: Buffer[] = []
    let start = 0
    for (;;) {
      const end = chunk.indexOf(newline, start)
      if (end === -1) break
      const rest = chunk.subarray(start, end)
      lines.push(this.size === 0 ? rest : this.take(rest))
      start = end + 1
    }
    if (start < chunk.length) {
      this.pieces.push(Buffer.from(chunk.subarray(start)))
      this.size += chunk.length - start
    }
    return lines
  }

  /** What came after the last newline, if anything; the next push starts afresh. */
  end(): Buffer | undefined {
    return this.size === 0 ? undefined : this.take()
  }

  private take(...rest: Buffer[]): Buffer {
    const line = Buffer.concat([...this.pieces, ...rest])
    this.pieces = []
    this.size = 0
    return line
  }
}
