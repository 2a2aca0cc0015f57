import { PassThrough, Writable } from 'node:stream'
import type { StreamChunk } from 'dsh-llm'
import type { CoreEvents, CoreEventType, TurnEndReason } from 'dsh-session'
import { describe, expect, it } from 'vitest'
import { MAX_UNREAD, Screen } from '../src/screen.ts'

function screen(stdout: Writable = new PassThrough()) {
  const stderr = new PassThrough({ encoding: 'utf8' })
  const broken: Error[] = []
  const it = new Screen({
    stdout,
    stderr,
    titleOf: (call) => `a ${call.name}`,
    onBroken: (error) => void broken.push(error),
  })
  const show = <T extends CoreEventType>(type: T, data: CoreEvents[T]): void =>
    it.show({ type, seq: 0, time: 0, data })
  const chunk = (chunk: StreamChunk): void => show('assistant/chunk', { turn: 1, step: 1, chunk })
  return {
    screen: it,
    broken,
    stderr,
    show,
    chunk,
    say: (text: string) => chunk({ type: 'text-delta', index: 0, text }),
    endStep: () => show('step/end', { turn: 1, step: 1 }),
    call: () => show('tool/call', { turn: 1, step: 1, callId: 'c', name: 'bash', arguments: '{}' }),
    end: (reason: TurnEndReason) => show('turn/end', { turn: 1, reason }),
    out: () => ((stdout as PassThrough).read() as Buffer | null)?.toString() ?? '',
    marks: () => (stderr.read() as string | null) ?? '',
  }
}

describe('stdout', () => {
  it('has the text as it comes, and one line end after it', () => {
    const { say, endStep, out, marks } = screen()
    say('a\n')
    expect(out()).toBe('a\n')
    say('b')
    expect(out()).toBe('b')
    endStep()
    expect(out()).toBe('\n')
    endStep()
    say('c\n')
    endStep()
    expect(out()).toBe('c\n')
    expect(marks()).toBe('')
  })

  it('ends the line before a call is shown', () => {
    const { say, call, out, marks } = screen()
    say('Let me see')
    call()
    expect(out()).toBe('Let me see\n')
    expect(marks()).toBe('[tool] a bash\n')
  })

  it('puts characters together that the chunks have cut', () => {
    const { say, endStep, out } = screen()
    say('a\ud83d')
    expect(out()).toBe('a')
    say('\ude00')
    expect(out()).toBe('😀')
    say('\ud83d')
    endStep()
    expect(out()).toBe('\ufffd\n')
    say('b')
    endStep()
    expect(out()).toBe('b\n')
  })

  it('has no reasoning and no arguments', () => {
    const { chunk, endStep, show, out, marks } = screen()
    chunk({ type: 'reasoning-delta', index: 0, text: 'hm' })
    chunk({ type: 'tool-call-delta', index: 0, id: 'c', argumentsDelta: '{}' })
    show('step/start', { turn: 1, step: 1 })
    endStep()
    expect(out() + marks()).toBe('')
  })
})

describe('stderr', () => {
  it.each([
    [false, 'ready', '[ok] ready\n'],
    [true, 'Error: no\nsuch file', '[failed] Error: no such file\n'],
    [false, '', '[ok]\n'],
    [false, 'x'.repeat(200), `[ok] ${'x'.repeat(119)}…\n`],
  ])('has a result, failed: %s, as one line', (isError, text, line) => {
    const { show, marks } = screen()
    const call = { type: 'tool-call', id: 'c', name: 'n', arguments: '' } as const
    const content = [call, { type: 'text', text }] as const
    show('tool/result', { turn: 1, step: 1, callId: 'c', content, isError })
    expect(marks()).toBe(line)
  })

  it.each<[TurnEndReason, string]>([
    [{ kind: 'completed' }, ''],
    [{ kind: 'interrupted' }, ''],
    [{ kind: 'aborted', reason: 'Ctrl-C' }, '[cancelled]\n'],
    [{ kind: 'disposed' }, '[ended] before the answer was complete\n'],
    [{ kind: 'max-tokens' }, '[cut] the answer has reached its limit of tokens\n'],
    [{ kind: 'error', step: 1, message: 'no\nkey' }, '[error] turn failed: no key\n'],
    [
      { kind: 'error', step: 1, message: 'x'.repeat(2_000) },
      `[error] turn failed: ${'x'.repeat(2_000)}\n`,
    ],
    [{ kind: 'rejected', reason: 'no budget' }, '[error] turn rejected: no budget\n'],
  ])('has the end %j', (reason, line) => {
    const { end, marks } = screen()
    end(reason)
    expect(marks()).toBe(line)
  })

  it('may be gone', () => {
    const { stderr, broken } = screen()
    stderr.emit('error', new Error('EPIPE'))
    expect(broken).toEqual([])
  })
})

describe('a stdout that nobody reads', () => {
  it('that is gone is told of once, and written to no more', async () => {
    const written: string[] = []
    const stdout = new Writable({
      write(piece: Buffer, _encoding, callback) {
        written.push(piece.toString())
        callback()
      },
    })
    const { say, endStep, broken, screen: it } = screen(stdout)
    say('a')
    stdout.emit('error', new Error('EPIPE'))
    stdout.emit('error', new Error('again'))
    say('b')
    endStep()
    await it.flush()
    expect(broken.map(String)).toEqual(['Error: EPIPE'])
    expect(written).toEqual(['a'])
  })

  it('may fall behind by so much', async () => {
    const stuck = new Writable({ write: () => undefined })
    const { say, broken, screen: it } = screen(stuck)
    say('x'.repeat(MAX_UNREAD))
    expect(broken).toEqual([])
    say('x')
    expect(broken).toMatchObject([
      { code: 'OUTPUT_STUCK', message: `nobody reads the output: ${MAX_UNREAD + 1} bytes wait` },
    ])
    await it.flush()
  })

  it('is waited for', async () => {
    const taken: (() => void)[] = []
    const slow = new Writable({ write: (_piece, _encoding, callback) => void taken.push(callback) })
    const { say, screen: it } = screen(slow)
    say('a')
    let flushed = false
    const flushing = it.flush().then(() => {
      flushed = true
    })
    await new Promise((resolve) => setImmediate(resolve))
    expect(flushed).toBe(false)
    taken.shift()?.()
    while (taken.length === 0) await new Promise((resolve) => setImmediate(resolve))
    taken.shift()?.()
    await flushing
  })
})
