import { failingStream, type GenerateOptions, type ModelStream, type StreamChunk } from 'dsh-llm'
import { formatLineage, type Session } from 'dsh-session'
import { Claims } from './claims.ts'
import type { Cursor } from './cursor.ts'
import { cwdMapping } from './cwd.ts'
import { currentStep } from './live.ts'
import { mapChunks } from './map-chunks.ts'
import * as words from './messages.ts'
import type { Policies } from './policies.ts'
import { Poison } from './poison.ts'
import { type Refuse, refusals } from './refusal.ts'
import type { Report } from './report.ts'
import type { RequestCheck } from './requests/check.ts'
import { retryProblem } from './retry-check.ts'
import { entryChunks, ReplayStream } from './stream.ts'
import type { ReplayEntry, SessionScript } from './types.ts'

/** Answers every call of a scenario from the lane of the session that makes it. */
export class Lanes {
  /** Reports a refusal, and refuses from then on what the same session, or lane, asks for. */
  readonly refuse: Refuse
  private readonly scripts: readonly SessionScript[]
  private readonly report: Report
  private readonly findSession: (id: string) => Session | undefined
  private readonly claims: Claims
  private readonly policies: Policies
  private readonly poison = new Poison()
  private readonly requests: RequestCheck | undefined
  private readonly disposal = new AbortController()

  constructor(
    scripts: readonly SessionScript[],
    report: Report,
    findSession: (id: string) => Session | undefined,
    policies: Policies,
    requests?: RequestCheck,
  ) {
    this.scripts = scripts
    this.report = report
    this.refuse = refusals(report, this.poison)
    this.findSession = findSession
    this.policies = policies
    this.requests = requests
    this.claims = new Claims(scripts, report, this.refuse, findSession)
    for (const [lane, { file, entries, lineage }] of scripts.entries()) {
      report.write({
        event: 'loaded',
        lane,
        file,
        calls: entries.length,
        ...(lineage === undefined ? {} : { lineage: formatLineage(lineage) }),
      })
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

  /** Takes note of a session that was made or loaded. @throws ReplayError like `Claims.created` */
  created(session: Session): void {
    this.claims.created(session)
  }

  /** The cursor of a session that has a lane; undefined for others. */
  cursorOf(session: string): Cursor | undefined {
    return this.claims.get(session)
  }

  /** Says what is left, and ends every hang that still waits. */
  dispose(): void {
    this.disposal.abort()
    for (const [lane, made] of this.claims.reached().entries()) {
      const calls = (this.scripts[lane] as SessionScript).entries.length
      const served = Math.min(calls, made)
      this.report.write({ event: 'left', lane, served, left: calls - served })
    }
  }

  private serve(options: GenerateOptions): ModelStream {
    const { sessionId, purpose = 'turn' } = options
    const known = this.claims.get(sessionId)
    this.checkPoison(sessionId, known)
    const at = { ...(known === undefined ? {} : { lane: known.lane }), session: sessionId }
    const misspelt = this.policies.problem(options.tools)
    if (misspelt !== undefined) throw this.refuse('TOOL_NOT_OFFERED', misspelt, at)
    if (purpose !== 'turn') {
      throw this.refuse('UNRECORDED_PURPOSE', words.unrecordedPurpose(sessionId, purpose), at)
    }
    const cursor = known ?? this.claims.claim(sessionId)
    this.checkPoison(sessionId, cursor)
    const live = sessionId === undefined ? undefined : this.findSession(sessionId)
    const { lane, script, session } = cursor
    const call = cursor.made + 1
    this.checkRetry(cursor, live)
    cursor.made = call
    const entry = script.entries[call - 1]
    if (entry === undefined) {
      const message = words.exhausted(cursor, call, this.claims.states())
      throw this.refuse('SCRIPT_EXHAUSTED', message, { lane, call, session })
    }
    this.requests?.check(cursor, call, options, live)
    const place = { lane, session: session ?? null, call }
    this.report.write({ event: 'served', ...place })
    return new ReplayStream({
      entry,
      chunks: chunksFor(entry, cursor, live),
      signal: options.signal,
      disposed: this.disposal.signal,
      onWaiting: () => this.report.write({ event: 'ready', ...place }),
    })
  }

  private checkRetry(cursor: Cursor, live: Session | undefined): void {
    const step = live === undefined ? undefined : currentStep(live)
    const problem = step === undefined ? undefined : retryProblem(cursor, step)
    cursor.lastStep = step
    if (problem === undefined) return
    const { lane, made, session } = cursor
    throw this.refuse(problem.code, problem.message, { lane, call: made + 1, session })
  }

  /** The cursor stays, so that the report tells what was left when the lane was refused something. */
  private checkPoison(session: string | undefined, cursor: Cursor | undefined): void {
    const at = { ...(cursor === undefined ? {} : { lane: cursor.lane }), session }
    const first = this.poison.find(at)
    if (first === undefined) return
    throw this.refuse('LANE_POISONED', words.poisoned(session, cursor, first), {
      ...at,
      ...(cursor === undefined ? {} : { call: cursor.made + 1 }),
    })
  }
}

function chunksFor(
  entry: ReplayEntry,
  cursor: Cursor,
  live: Session | undefined,
): readonly StreamChunk[] {
  const chunks = entryChunks(entry)
  if (live === undefined) return chunks
  cursor.mapping ??= cwdMapping(cursor.script.header.cwd, live.cwd)
  return mapChunks(chunks, cursor.mapping)
}
