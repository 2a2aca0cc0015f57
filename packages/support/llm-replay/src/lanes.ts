import { failingStream, type GenerateOptions, type ModelStream } from 'dsh-llm'
import type { Session } from 'dsh-session'
import { type Binding, createBinder } from './binder.ts'
import type { Cursor } from './cursor.ts'
import { cwdMapping } from './cwd.ts'
import { ReplayError } from './error.ts'
import { currentStep, earlierCalls, samePosition } from './live.ts'
import { mapChunks } from './map-chunks.ts'
import * as words from './messages.ts'
import type { Report } from './report.ts'
import { entryChunks, ReplayStream } from './stream.ts'
import type { RefusalCode, SessionScript } from './types.ts'

export interface RefusalDetails {
  readonly lane?: number
  readonly call?: number
  readonly session: string | undefined
}

/** Answers every call of a scenario from the lane of the session that makes it. */
export class Lanes {
  private readonly scripts: readonly SessionScript[]
  private readonly report: Report
  private readonly findSession: (id: string) => Session | undefined
  private readonly bind: ReturnType<typeof createBinder>
  private readonly cursors = new Map<string | undefined, Cursor>()
  /** Every session that called, in order of first call; its place is its number in messages. */
  private readonly callers = new Set<string>()
  private readonly disposal = new AbortController()

  constructor(
    scripts: readonly SessionScript[],
    report: Report,
    findSession: (id: string) => Session | undefined,
  ) {
    this.scripts = scripts
    this.report = report
    this.findSession = findSession
    this.bind = createBinder(scripts.map(({ entries }) => ({ calls: entries.length })))
    for (const [lane, { file, entries }] of scripts.entries()) {
      report.write({ event: 'loaded', lane, file, calls: entries.length })
    }
  }

  /** Answers one call. Never throws: every failure surfaces from the stream. */
  stream(options: GenerateOptions): ModelStream {
    try {
      return this.serve(options)
    } catch (error) {
      return failingStream(error)
    }
  }

  /** The cursor of a session that has called; undefined before its first call. */
  cursorOf(session: string): Cursor | undefined {
    return this.cursors.get(session)
  }

  /** Reports a refusal and gives back the error that says the same. */
  refuse(code: RefusalCode, message: string, details: RefusalDetails): ReplayError {
    const error = new ReplayError(code, message)
    const session = details.session ?? null
    this.report.write({ event: 'refused', code, message: error.message, ...details, session })
    return error
  }

  /** Says what is left, and ends every hang that still waits. */
  dispose(): void {
    this.disposal.abort()
    for (const [lane, { entries }] of this.scripts.entries()) {
      const made = [...this.cursors.values()].map((cursor) =>
        cursor.lane === lane ? cursor.made : 0,
      )
      const served = Math.min(entries.length, Math.max(0, ...made))
      this.report.write({ event: 'left', lane, served, left: entries.length - served })
    }
  }

  private serve(options: GenerateOptions): ModelStream {
    const { sessionId, purpose = 'turn' } = options
    if (purpose !== 'turn') {
      const lane = this.cursors.get(sessionId)?.lane
      throw this.refuse('UNRECORDED_PURPOSE', words.unrecordedPurpose(sessionId, purpose), {
        ...(lane === undefined ? {} : { lane }),
        session: sessionId,
      })
    }
    const live = sessionId === undefined ? undefined : this.findSession(sessionId)
    const cursor = this.cursors.get(sessionId) ?? this.claim(sessionId, live)
    const { lane, script, session } = cursor
    const call = cursor.made + 1
    this.checkRetry(cursor, live)
    cursor.made = call
    const entry = script.entries[call - 1]
    if (entry === undefined) {
      throw this.refuse('SCRIPT_EXHAUSTED', words.exhausted(cursor, call), { lane, call, session })
    }
    const place = { lane, session: session ?? null, call }
    this.report.write({ event: 'served', ...place })
    const chunks = entryChunks(entry)
    return new ReplayStream({
      entry,
      chunks:
        live === undefined ? chunks : mapChunks(chunks, cwdMapping(script.header.cwd, live.cwd)),
      signal: options.signal,
      disposed: this.disposal.signal,
      onWaiting: () => this.report.write({ event: 'ready', ...place }),
    })
  }

  private claim(session: string | undefined, live: Session | undefined): Cursor {
    if (session !== undefined) this.callers.add(session)
    const binding = this.bind({
      session,
      earlierCalls: live === undefined ? 0 : earlierCalls(live),
    })
    if (session !== undefined && binding === undefined) {
      const number = [...this.callers].indexOf(session) + 1
      throw this.refuse(
        'UNRECORDED_SESSION',
        words.unrecordedSession(session, number, this.scripts, this.cursors),
        { session },
      )
    }
    const { lane, rule, after } = binding as Binding
    this.report.write({
      event: 'bound',
      lane,
      session: session ?? null,
      rule,
      ...(rule === 'resumed' ? { after } : {}),
    })
    const script = this.scripts[lane] as SessionScript
    const cursor: Cursor = { session, lane, script, after, made: after, lastStep: undefined }
    this.cursors.set(session, cursor)
    return cursor
  }

  /** A retry on one side only would give every later call the answer of its neighbour. */
  private checkRetry(cursor: Cursor, live: Session | undefined): void {
    const step = live === undefined ? undefined : currentStep(live)
    const { lastStep, made, lane, script, session } = cursor
    cursor.lastStep = step
    const next = script.positions[made]
    const previous = script.positions[made - 1]
    if (
      step === undefined ||
      lastStep === undefined ||
      next === undefined ||
      previous === undefined
    )
      return
    const retried = samePosition(step, lastStep)
    const recorded = samePosition(next, previous)
    if (retried === recorded) return
    const code = retried ? 'UNRECORDED_RETRY' : 'MISSING_RETRY'
    throw this.refuse(code, words.retry(cursor, step, next, retried), {
      lane,
      call: made + 1,
      session,
    })
  }
}
