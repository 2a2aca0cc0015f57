import type { AnyMessage } from '@agentclientprotocol/sdk'
import { LineSplitter, eventLoopTurn } from 'dsh-brand'
import type { RunLimits } from './limits.ts'
import type { OutputFile } from './output-file.ts'
import { readProtocolLine } from './protocol-line.ts'
import type { LineProblem, RunFault } from './types.ts'

/** An agent that logs to stdout says it thousands of times; the first few tell all. */
const reportedLines = 10
const reportedCharacters = 500

/** Lines that are read in one go. What a line sets off costs far more than reading it. */
const linesAtATime = 100

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
  private readonly stopped: AbortSignal
  private bytes = 0
  private faults = 0
  private flooded = false

  /** Once `stopped` aborts nothing more is read. */
  constructor(file: OutputFile, limits: RunLimits, listener: StdoutListener, stopped: AbortSignal) {
    this.file = file
    this.limits = limits
    this.listener = listener
    this.stopped = stopped
  }

  /**
   * Takes the next bytes. Where they hold many lines, others get their turn between them, so that
   * time and signals go on whatever the agent says: the next bytes may come only once what is
   * returned has resolved.
   */
  write(chunk: Buffer): Promise<void> | undefined {
    if (this.over) return undefined
    this.bytes += chunk.length
    if (this.bytes > this.limits.stdoutBytes) {
      this.flood({ bytes: this.limits.stdoutBytes })
      return undefined
    }
    this.file.write(chunk)
    const lines = this.splitter.push(chunk)
    if (lines.length <= linesAtATime) {
      this.takeAll(lines)
      return undefined
    }
    return this.takeByTurns(lines)
  }

  /**
   * A process has ended: what it left without a newline was never a message.
   * @param byItself whether that is a fault of the process
   */
  endProcess(byItself: boolean): void {
    const rest = this.splitter.end()
    if (rest === undefined || this.over) return
    const { text } = readProtocolLine(rest)
    this.lines.push(text)
    if (byItself) this.report(text, 'unterminated')
  }

  private get over(): boolean {
    return this.flooded || this.stopped.aborted
  }

  private async takeByTurns(lines: readonly Buffer[]): Promise<void> {
    for (let from = 0; from < lines.length && !this.over; from += linesAtATime) {
      this.takeAll(lines.slice(from, from + linesAtATime))
      // Not a promise alone: timers and signals come between two turns of the event loop only.
      await eventLoopTurn()
    }
  }

  private takeAll(lines: readonly Buffer[]): void {
    const { lineBytes, stdoutLines } = this.limits
    for (const line of lines) {
      if (this.over) return
      if (line.length > lineBytes) return this.flood({ bytes: lineBytes })
      if (this.lines.length === stdoutLines) return this.flood({ lines: stdoutLines })
      this.take(line)
    }
    if (this.splitter.pendingBytes > lineBytes) this.flood({ bytes: lineBytes })
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

  private flood(limit: { readonly bytes: number } | { readonly lines: number }): void {
    this.flooded = true
    this.listener.flood({ kind: 'output-too-large', stream: 'stdout', ...limit })
  }
}
