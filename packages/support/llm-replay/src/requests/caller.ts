import type { GenerateOptions, Message } from 'dsh-llm'
import type { Session } from 'dsh-session'
import type { Cursor } from '../cursor.ts'
import { cwdRoot, cwdTokens } from '../cwd.ts'
import type { FindEdits } from '../deltas.ts'
import { pathsOf } from './aliases.ts'
import { firstDifference, type JsonDifference } from './compare.ts'
import { HeaderWalk, isScrubbed, type LoggedHeader } from './header.ts'
import { HistoryWalk } from './history.ts'
import type { IdBook } from './ids.ts'
import type { NormalText } from './normal-text.ts'
import type { RecordedRequests } from './types.ts'
import { type RequestView, viewOf } from './view.ts'

/** One caller's way through the requests of its lane. */
export class Caller {
  private readonly requests: RecordedRequests
  private readonly history: HistoryWalk
  private readonly headers: HeaderWalk
  private readonly ids: IdBook
  private readonly normal: NormalText
  private readonly recordedPaths: FindEdits
  private readonly livePaths: FindEdits
  private logged: { readonly session: Session; readonly headers: HeaderWalk } | undefined
  /** The messages of the last request, both sides, which agreed. */
  private agreed: readonly [readonly Message[], readonly Message[]] = [[], []]

  constructor(
    { script }: Pick<Cursor, 'script'>,
    live: Session | undefined,
    ids: IdBook,
    normal: NormalText,
  ) {
    // Loading fails for a lane that holds calls and cannot say what they asked for.
    const requests = script.requests as RecordedRequests
    const { id, cwd: recordedCwd } = script.header
    if (live !== undefined) ids.pair(id, live.id)
    this.requests = requests
    this.history = new HistoryWalk(requests.events)
    this.headers = new HeaderWalk(requests.events)
    this.ids = ids
    this.normal = normal
    this.recordedPaths = cwdTokens(recordedCwd === undefined ? [] : [recordedCwd])
    this.livePaths = cwdTokens(live === undefined ? [] : pathsOf(cwdRoot(recordedCwd, live.cwd)))
  }

  /** The first difference of a call's request. Calls come in the order of the script. */
  difference(
    call: number,
    request: GenerateOptions,
    live: Session | undefined,
  ): JsonDifference | undefined {
    const count = this.requests.before[call - 1] as number
    const logged = this.headers.after(count) as LoggedHeader
    const { messages, ...actual } = viewOf(request)
    const { messagePrefix = [] } = logged
    const expected = this.expectedHeader(logged, actual, live)
    const found =
      firstDifference(expected, actual, this.sameText) ??
      this.messageDifference([...messagePrefix, ...this.history.after(count)], messages)
    return found === undefined ? undefined : this.told(found)
  }

  /**
   * What the recording does not tell, being scrubbed, is told by the live session's own log: what is
   * asked for must be what is logged. That this is as it was is for a scenario to say which pins it.
   */
  private expectedHeader(
    { config, system = '', tools = [] }: LoggedHeader,
    actual: Omit<RequestView, 'messages'>,
    live: Session | undefined,
  ): object {
    const own = live === undefined ? undefined : this.ownHeader(live)
    const told = own === undefined ? actual : { system: '', tools: [], ...own }
    return {
      config,
      system: isScrubbed(system) ? told.system : system,
      tools: isScrubbed(tools) ? told.tools : tools,
    }
  }

  private ownHeader(session: Session): LoggedHeader | undefined {
    // A session that was disposed and loaded is another object, with a log of its own.
    if (this.logged?.session !== session) {
      this.logged = { session, headers: new HeaderWalk(session.events) }
    }
    return this.logged.headers.after(session.events.length)
  }

  private messageDifference(
    expected: readonly Message[],
    actual: readonly Message[],
  ): JsonDifference | undefined {
    const [before, after] = this.agreed
    const length = Math.max(expected.length, actual.length)
    for (let at = 0; at < length; at += 1) {
      const [left, right] = [expected[at], actual[at]]
      // A conversation only grows, as a rule: to compare all of it each time would be quadratic.
      if (left === before[at] && right === after[at] && Object.isFrozen(right)) continue
      const found = firstDifference(left, right, this.sameText)
      if (found !== undefined) return { ...found, path: ['messages', at, ...found.path] }
    }
    this.agreed = [expected, actual]
    return undefined
  }

  private readonly sameText = (expected: string, actual: string): boolean => {
    const [left, right] = [this.recordedText(expected), this.liveText(actual)]
    return left === right || this.ids.agree(left, right)
  }

  private recordedText(text: string): string {
    return this.normal(text, this.recordedPaths)
  }

  private liveText(text: string): string {
    return this.normal(text, this.livePaths)
  }

  /** Both sides in the terms of the recording, so that nothing else stands out. */
  private told({ path, expected, actual }: JsonDifference): JsonDifference {
    if (typeof expected !== 'string' || typeof actual !== 'string')
      return { path, expected, actual }
    return {
      path,
      expected: this.recordedText(expected),
      actual: this.ids.inRecorded(this.liveText(actual)),
    }
  }
}
