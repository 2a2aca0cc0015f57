import type { AnyMessage } from '@agentclientprotocol/sdk'
import { LineSplitter } from 'dsh-brand'
import type { RunLimits } from './limits.ts'
import type { OutputFile } from './output-file.ts'
import { readProtocolLine } from './protocol-line.ts'
import type { LineProblem, RunFault } from './types.ts'

/** An agent that logs to stdout says it thousands of times; the first few tell all. */
const reportedLines = 10
const reportedCharacters = 500

export interface StdoutListener {
  /** A valid message, in the order of the stream. */
  message(message: AnyMessage): void
  /** The run may go on, but has failed. */
  fault(fault: RunFault): void
  /** The run cannot go on. Nothing more is captured afterwards. */
  flood(fault: RunFault): void
}

/** Keeps stdout as it came, over all processes of a run, and hands on only what is protocol. */
export class StdoutCapture {
  /** Every line, protocol or not. */
  readonly lines: string[] = []
  private readonly splitter = new LineSplitter()
  private readonly file: OutputFile
  private readonly limits: RunLimits
  private readonly listener: StdoutListener
  private bytes = 0
  private faults = 0
  private flooded = false

  constructor(file: OutputFile, limits: RunLimits, listener: StdoutListener) {
    this.file = file
    this.limits = limits
    this.listener = listener
  }

  write(chunk: Buffer): void {
    if (this.flooded) return
    this.bytes += chunk.length
    if (this.bytes > this.limits.stdoutBytes) {
      this.flood(this.limits.stdoutBytes)
      return
    }
    this.file.write(chunk)
    for (const line of this.splitter.push(chunk)) {
      if (line.length > this.limits.lineBytes) {
        this.flood(this.limits.lineBytes)
        return
      }
      this.take(line)
    }
    if (this.splitter.pendingBytes > this.limits.lineBytes) this.flood(this.limits.lineBytes)
  }

  /** A process has ended: what it left without a newline was never a message. */
  endProcess(): void {
    const rest = this.splitter.end()
    if (rest === undefined || this.flooded) return
    const { text } = readProtocolLine(rest)
    this.lines.push(text)
    this.report(text, 'unterminated')
  }

  private take(line: Buffer): void {
    const read = readProtocolLine(line)
    this.lines.push(read.text)
    if ('problem' in read) this.report(read.text, read.problem)
    else this.listener.message(read.message)
  }

  private report(text: string, problem: LineProblem): void {
    this.faults += 1
    if (this.faults > reportedLines) return
    this.listener.fault({
      kind: 'protocol-line',
      line: this.lines.length,
      text: text.slice(0, reportedCharacters),
      problem,
    })
  }

  private flood(bytes: number): void {
    this.flooded = true
    this.listener.flood({ kind: 'output-too-large', stream: 'stdout', bytes })
  }
}
