/** How many bytes of each stream are kept. */
export const MAX_BYTES = 51_200

/** Keeps the end of a stream in bounded memory. */
export class TailBuffer {
  private readonly chunks: Buffer[] = []
  private kept = 0
  private total = 0

  push(chunk: Buffer): void {
    this.chunks.push(chunk)
    this.kept += chunk.length
    this.total += chunk.length
    for (;;) {
      const first = this.chunks[0]
      if (first === undefined || this.kept - first.length < MAX_BYTES) return
      this.chunks.shift()
      this.kept -= first.length
    }
  }

  /**
   * The text, or its last {@link MAX_BYTES} bytes after a line that says how much is missing. Bytes
   * that are not UTF-8 become U+FFFD; no character is cut in two.
   */
  text(): string {
    const bytes = Buffer.concat(this.chunks)
    if (this.total <= MAX_BYTES) return bytes.toString('utf8')
    let start = bytes.length - MAX_BYTES
    const limit = Math.min(start + 3, bytes.length)
    while (start < limit && ((bytes[start] as number) & 0xc0) === 0x80) start += 1
    const tail = bytes.subarray(start)
    return `[${this.total - tail.length} earlier bytes omitted]\n${tail.toString('utf8')}`
  }
}
