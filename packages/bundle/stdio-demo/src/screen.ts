import type { Writable } from 'node:stream'
import { DshError } from 'dsh-brand'
import type { CoreEvents, SessionEvent, TurnEndReason } from 'dsh-session'
import { oneLine } from './one-line.ts'

/** How much text may wait for a reader that does not read, in bytes. */
export const MAX_UNREAD = 16_777_216

/** How much of a call or its result is shown, in characters. */
const GLANCE = 120

export interface ScreenParts {
  readonly stdout: Writable
  readonly stderr: Writable
  /** How a call is called; must not throw. */
  readonly titleOf: (call: CoreEvents['tool/call']) => string
  /** Nobody reads stdout any more. Called once. */
  readonly onBroken: (error: Error) => void
}

/** Shows a session: what the model says on stdout, everything about it as marked lines on stderr. */
export class Screen {
  private readonly parts: ScreenParts
  private broken = false
  private lineOpen = false
  /** The first half of a character that the model's chunks have cut in two. */
  private half = ''

  constructor(parts: ScreenParts) {
    this.parts = parts
    parts.stdout.on('error', (error) => this.giveUp(error))
    // There is nobody to tell, and it must not end the turn either.
    parts.stderr.on('error', () => undefined)
  }

  show(event: SessionEvent): void {
    switch (event.type) {
      case 'assistant/chunk': {
        const { chunk } = event.data as CoreEvents['assistant/chunk']
        if (chunk.type === 'text-delta') this.say(chunk.text)
        return
      }
      case 'tool/call':
        this.endLine()
        this.mark(
          'tool',
          oneLine(this.parts.titleOf(event.data as CoreEvents['tool/call']), GLANCE),
        )
        return
      case 'tool/result': {
        const { content, isError } = event.data as CoreEvents['tool/result']
        const texts = content.map((block) => (block.type === 'text' ? block.text : ''))
        this.mark(isError ? 'failed' : 'ok', oneLine(texts.join(' '), GLANCE))
        return
      }
      case 'step/end':
        this.endLine()
        return
      case 'turn/end':
        this.markEnd((event.data as CoreEvents['turn/end']).reason)
        return
    }
  }

  /** One line on stderr. */
  mark(what: string, text = ''): void {
    this.parts.stderr.write(`${`[${what}] ${oneLine(text)}`.trimEnd()}\n`)
  }

  /** Resolves once everything said has been taken, or never will be. */
  async flush(): Promise<void> {
    if (this.broken) return
    // The callback comes after those of all earlier writes; a failure has been reported by then.
    await new Promise<void>((resolve) => {
      this.parts.stdout.write('', () => resolve())
    })
  }

  private markEnd(reason: TurnEndReason): void {
    switch (reason.kind) {
      case 'error':
        return this.mark('error', `turn failed: ${reason.message}`)
      case 'rejected':
        return this.mark('error', `turn rejected: ${reason.reason}`)
      case 'max-tokens':
        return this.mark('cut', 'the answer has reached its limit of tokens')
      case 'aborted':
        return this.mark('cancelled')
      case 'disposed':
        return this.mark('ended', 'before the answer was complete')
      case 'completed':
      case 'interrupted':
        return undefined
    }
  }

  private say(piece: string): void {
    const text = this.half + piece
    this.half = /[\uD800-\uDBFF]$/.test(text) ? text.slice(-1) : ''
    this.write(text.slice(0, text.length - this.half.length))
  }

  private endLine(): void {
    this.write(this.half)
    this.half = ''
    if (this.lineOpen) this.write('\n')
  }

  private write(text: string): void {
    const { stdout } = this.parts
    if (text === '' || this.broken) return
    this.lineOpen = !text.endsWith('\n')
    stdout.write(text)
    if (stdout.writableLength > MAX_UNREAD) {
      const message = `nobody reads the output: ${stdout.writableLength} bytes wait`
      this.giveUp(new DshError('OUTPUT_STUCK', message))
    }
  }

  private giveUp(error: Error): void {
    if (this.broken) return
    this.broken = true
    this.parts.onBroken(error)
  }
}
