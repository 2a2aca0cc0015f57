import { LineSplitter } from 'dsh-brand'
import type { RunLimits } from './limits.ts'
import type { OutputFile } from './output-file.ts'
import type { RunFault } from './types.ts'

const tailBytes = 8 * 1024

/** What an agent warns of that people have to know though the run is green; each line holds one. */
const NOTICE = /commands keep their network\b.*/

/** Keeps stderr in its file and its end in memory. */
export class StderrCapture {
  private readonly file: OutputFile
  private readonly limits: RunLimits
  private readonly flood: (fault: RunFault) => void
  private kept = Buffer.alloc(0)
  private bytes = 0
  private flooded = false
  private readonly splitter = new LineSplitter()
  private readonly noticed = new Set<string>()

  constructor(file: OutputFile, limits: RunLimits, flood: (fault: RunFault) => void) {
    this.file = file
    this.limits = limits
    this.flood = flood
  }

  write(chunk: Buffer): void {
    if (this.flooded) return
    this.bytes += chunk.length
    this.kept = Buffer.concat([this.kept, chunk.subarray(-tailBytes)]).subarray(-tailBytes)
    if (this.bytes > this.limits.stderrBytes) {
      this.flooded = true
      this.flood({ kind: 'output-too-large', stream: 'stderr', bytes: this.limits.stderrBytes })
      return
    }
    this.file.write(chunk)
    for (const line of this.splitter.push(chunk)) this.look(line)
  }

  /** What the agent warned of, each once, in the order in which it first came. */
  notices(): string[] {
    const rest = this.splitter.end()
    if (rest !== undefined) this.look(rest)
    return [...this.noticed]
  }

  private look(line: Buffer): void {
    const notice = NOTICE.exec(line.toString('utf8'))?.[0]
    if (notice !== undefined) this.noticed.add(notice)
  }

  /** The last whole lines; the last bytes of a line that alone is longer. */
  tail(): string {
    const text = this.kept.toString('utf8')
    if (this.bytes <= tailBytes) return text
    return text.slice(text.indexOf('\n') + 1)
  }
}
