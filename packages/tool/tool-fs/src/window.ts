/** How many lines a read shows unless told otherwise. */
export const DEFAULT_LINES = 2000
/** How many bytes of text, line breaks between lines included, a read shows at most. */
export const MAX_BYTES = 51_200

/** Kept of a line in any case; more than the cap, so that a line which was cut is known to be too long. */
const KEEP = MAX_BYTES + 16
const NEWLINE = 0x0a

/** The part of a file that a read shows. */
export interface LineWindow {
  /** Without line ends. */
  readonly lines: readonly string[]
  /** How many lines the file has; a trailing newline does not start another one. */
  readonly total: number
  /** Whether the byte cap ended the window. */
  readonly capped: boolean
}

/** Collects a window of lines from chunks, in memory that does not grow with the file or its lines. */
export class WindowCollector {
  private readonly lines: string[] = []
  private readonly first: number
  private readonly limit: number
  private bytes = 0
  private capped = false
  /** Number of the line being read, 1-based. */
  private number = 1
  private parts: Buffer[] = []
  private kept = 0
  /** Whether the line being read has any byte. */
  private open = false

  /** @param first the 1-based number of the first line to show. */
  constructor(first: number, limit: number) {
    this.first = first
    this.limit = limit
  }

  push(chunk: Buffer): void {
    let start = 0
    while (start < chunk.length) {
      const end = chunk.indexOf(NEWLINE, start)
      this.take(chunk.subarray(start, end < 0 ? chunk.length : end))
      if (end < 0) return
      this.endLine()
      start = end + 1
    }
  }

  finish(): LineWindow {
    if (this.open) this.endLine()
    return { lines: this.lines, total: this.number - 1, capped: this.capped }
  }

  private get wanted(): boolean {
    return this.number >= this.first && this.lines.length < this.limit && !this.capped
  }

  private take(piece: Buffer): void {
    this.open = true
    if (!this.wanted || this.kept >= KEEP) return
    const part = Buffer.from(piece.subarray(0, KEEP - this.kept))
    this.parts.push(part)
    this.kept += part.length
  }

  private endLine(): void {
    if (this.wanted) this.add(lineText(Buffer.concat(this.parts), this.number === 1))
    this.parts = []
    this.kept = 0
    this.open = false
    this.number += 1
  }

  private add(text: string): void {
    const isFirst = this.lines.length === 0
    const size = Buffer.byteLength(text) + (isFirst ? 0 : 1)
    if (this.bytes + size <= MAX_BYTES) {
      this.lines.push(text)
      this.bytes += size
      return
    }
    this.capped = true
    // A window without a single line would leave the reader no way on.
    if (isFirst) this.lines.push(`${cutText(text)}... (line cut at ${MAX_BYTES} bytes)`)
  }
}

/** Bytes that are not UTF-8 become U+FFFD; a byte order mark and a carriage return are not shown. */
function lineText(bytes: Buffer, isFirst: boolean): string {
  let text = bytes.toString('utf8')
  if (isFirst && text.startsWith('\uFEFF')) text = text.slice(1)
  return text.endsWith('\r') ? text.slice(0, -1) : text
}

/** The longest head of whole characters within the cap. */
function cutText(text: string): string {
  const bytes = Buffer.from(text)
  let end = MAX_BYTES
  while (((bytes[end] as number) & 0xc0) === 0x80) end -= 1
  return bytes.subarray(0, end).toString('utf8')
}
