import type { Clock, Json, JsonObject } from 'dsh-brand'

/**
 * A scripted model, `wire.json` in a scenario folder.
 *
 * Every request must match exactly one rule. None is a refusal, and so are two: which answer a
 * caller gets never depends on the order of the rules or on who called first. `{{cwd}}` in a
 * pattern, a text, an argument or a body stands for the configured working directory.
 */
export interface WireScript {
  /** What answers say about themselves unless they say otherwise. */
  readonly defaults?: WireDefaults
  readonly rules: readonly WireRule[]
}

/** What holds for all answers that do not say otherwise. `gapMs`: milliseconds between deltas. */
export interface WireDefaults {
  readonly cut?: Cut
  readonly gapMs?: number
  readonly usage?: ScriptedUsage
}

/** What is answered to which requests. */
export interface WireRule {
  /** For messages and generated ids; unique in the script. Absent means the rule's position. */
  readonly name?: string
  /** All that is named must hold; `{}` matches every request. */
  readonly when: WireWhen
  readonly answer: WireAnswer
  /**
   * How many requests it answers, 1 or more. Fewer is reported as unused, more is refused. Absent
   * means 1.
   */
  readonly times?: number
}

/** What a rule asks of a request. */
export interface WireWhen {
  /** The text of the first user message. A fork's first user message is its parent's. */
  readonly firstUser?: TextPattern
  /** The text of the last user message, wherever it stands. */
  readonly lastUser?: TextPattern
  /** The text of the last message if that is a tool result, else nothing matches. */
  readonly lastToolResult?: TextPattern
  /** The number of user messages. */
  readonly turn?: number
  /** The number of assistant messages since the last user message, plus 1. */
  readonly step?: number
  /** Counts the requests with the same lineage and the same messages, from 1: 2 is a retry. */
  readonly attempt?: number
  /** The value of the session header; nothing matches where a request has none. */
  readonly lineage?: TextPattern
}

/** A string matches when equal; a regular expression has no flags and is not anchored. */
export type TextPattern = string | { readonly contains: string } | { readonly matches: string }

/** What a rule can ask of a request. */
export type FacetName = keyof WireWhen

/** What a request shows to the rules. Absent where the request has no such thing. */
export interface Facets {
  readonly firstUser?: string
  readonly lastUser?: string
  readonly lastToolResult?: string
  readonly turn: number
  readonly step: number
  readonly attempt: number
  readonly lineage?: string
}

/** A stream of deltas, or an HTTP status. */
export type WireAnswer = StreamAnswer | StatusAnswer

/** A text: whole, to be cut by `cut`; or in pieces, each of them one delta. */
export type Pieces = string | readonly string[]

/**
 * How whole texts are cut: into deltas of so many code points; with `anywhere` of so many UTF-16
 * units, so that a delta may end inside a character. Absent means one delta per text.
 */
export type Cut = number | { readonly size: number; readonly anywhere?: boolean }

/** A streamed answer: reasoning, then text, then tool calls, then the finish. */
export interface StreamAnswer {
  readonly reasoning?: Pieces
  readonly text?: Pieces
  readonly toolCalls?: readonly ScriptedCall[]
  /** The finish reason on the wire. Absent means `tool_calls` with tool calls, else `stop`. */
  readonly finish?: string
  /** Sent only to requests that ask for it (`stream_options.include_usage`). */
  readonly usage?: ScriptedUsage
  /** On the finish event, as DeepSeek does, or on one of its own after it. Absent: `finish`. */
  readonly usageOn?: 'finish' | 'own'
  readonly cut?: Cut
  /** Milliseconds between two events. */
  readonly gapMs?: number
  /** Comment lines (`: keep-alive`) before the first event. */
  readonly keepAlive?: number
  readonly fault?: StreamFault
}

/** A call of a tool in an answer. */
export interface ScriptedCall {
  /** Absent means one made from the rule, the lineage and the use: the same in every run. */
  readonly id?: string
  readonly name: string
  /** An object is written as JSON and cut; a string is sent as it is and cut; absent is empty. */
  readonly arguments?: JsonObject | Pieces
}

/** Token counts as the provider counts them: cached is part of prompt, reasoning of completion. */
export interface ScriptedUsage {
  readonly prompt: number
  readonly cached?: number
  readonly completion: number
  readonly reasoning?: number
}

/**
 * What goes wrong in a stream once `after` events are out. The opening event (the role) is an event,
 * and so is the finish; `[DONE]` and comments are not. More than the answer has is an error.
 *
 * - `cut`: the socket is destroyed after `lingerMs` (absent means 100). The wait is for the client:
 *   many throw away what they have buffered but not read when their connection breaks, so that
 *   without it the number of events that count would depend on timing.
 * - `hang`: nothing more comes until the client goes away.
 * - `hold`: nothing more comes until `release(name)`; then the rest follows.
 * - `malformed`: an event that is not JSON (`data`, by default half an object); then the rest.
 * - `no-done`: the stream ends as it should, but without `[DONE]`.
 *
 * `name` is unique in the script and by default `rule N`.
 */
export type StreamFault =
  | { readonly kind: 'cut'; readonly after: number; readonly lingerMs?: number }
  | { readonly kind: 'hang'; readonly after: number; readonly name?: string }
  | { readonly kind: 'hold'; readonly after: number; readonly name?: string }
  | { readonly kind: 'malformed'; readonly after: number; readonly data?: string }
  | { readonly kind: 'no-done' }

/** An answer that is no stream. Without `body` it is an error object as the provider writes it. */
export interface StatusAnswer {
  /** 200 to 599. */
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** A string is sent as it is, anything else as JSON. */
  readonly body?: Json
}

/** Why a request gets no answer from the script. */
export type RefusalCode =
  /** No rule matches. */
  | 'unscripted'
  /** More than one rule matches. */
  | 'ambiguous'
  /** The one rule that matches has answered as often as it may. */
  | 'consumed'
  /** Not a request that the provider would take. */
  | 'bad_request'
  /** Another path or method. */
  | 'not_found'
  /** A body over the limit. */
  | 'too_large'
  /** The client went away before its body was complete. */
  | 'incomplete'
  /** More requests than the server keeps. */
  | 'limit'

/**
 * How a served request ended. `cut` is the scripted one; `client-gone` means that the client left
 * first; `closed` that the server was closed; `open` that it has not ended.
 */
export type ServedOutcome = 'open' | 'completed' | 'cut' | 'client-gone' | 'closed'

/** One request as it came, and what became of it. */
export interface WireRequest {
  /** From 1, in the order in which requests were complete. Messages call it `#1`. */
  readonly number: number
  readonly method: string
  /** Without the query. */
  readonly path: string
  /** A few only; the value of `authorization` is masked. */
  readonly headers: Readonly<Record<string, string>>
  /** As parsed; absent where it was not JSON or not read. */
  readonly body?: Json
  /** Absent where the request was refused before it was matched. */
  readonly facets?: Facets
  readonly result: WireResult
}

/** What became of a request. */
export type WireResult =
  /** `rule` is a position in the script, from 0. */
  | { readonly kind: 'served'; readonly rule: number; readonly outcome: ServedOutcome }
  | {
      readonly kind: 'refused'
      readonly code: RefusalCode
      readonly message: string
      /** The number of the request that this one repeats, where it repeats one. */
      readonly retryOf?: number
    }

/** What happened, in request order. JSON. */
export interface WireReport {
  /** True when nothing was refused and nothing is unused. */
  readonly ok: boolean
  readonly served: readonly WireServed[]
  readonly refused: readonly WireRefused[]
  readonly unused: readonly WireUnused[]
}
/** A request that a rule answered. Both are counted: requests from 1, rules from 0. */
export interface WireServed {
  readonly request: number
  readonly rule: number
  readonly name?: string
  readonly attempt: number
  readonly lineage?: string
  readonly outcome: ServedOutcome
}
/** A request that was not answered from the script. */
export interface WireRefused {
  /** Absent for requests over the limit, which are not kept. */
  readonly request?: number
  readonly code: RefusalCode
  readonly message: string
  /** The number of the request that this one repeats, where it repeats one. */
  readonly retryOf?: number
}
/** A rule that answered fewer requests than it says. */
export interface WireUnused {
  readonly rule: number
  readonly name?: string
  readonly when: WireWhen
  readonly used: number
  readonly times: number
}

/** A request that has reached its hang or its hold. */
export interface WirePause {
  readonly kind: 'hang' | 'hold'
  readonly name: string
  readonly request: number
}

/** Bounds on what the model takes in. */
export interface WireLimits {
  /** Of one request. Absent means 8 MiB. */
  readonly maxBodyBytes?: number
  /** In the life of the server; further ones are refused and only counted. Absent means 1000. */
  readonly maxRequests?: number
}

/** What the model answers from, and how. */
export interface WireModelOptions {
  /** Checked again, so that one made by hand is as good as one from a file. */
  readonly script: WireScript
  /** What messages call the script. Absent means `wire script`. */
  readonly source?: string
  /** What `{{cwd}}` stands for. A script that says `{{cwd}}` without it is an error. */
  readonly cwd?: string
  /** The header that carries the lineage. Absent means `x-dsh-lineage`. */
  readonly sessionHeader?: string
  /** For pacing and lingering. Absent means the machine's. */
  readonly clock?: Clock
  /** Bounds on what the model takes in. */
  readonly limits?: WireLimits
  /** Told of each pause when it is reached, synchronously. Must not throw. */
  readonly onPause?: (pause: WirePause) => void
}

/** A running model: one server, one port of 127.0.0.1, one script. */
export interface WireModel {
  /** The base URL, without a trailing slash. */
  readonly url: string
  /** Every request so far, as a copy. */
  readonly requests: readonly WireRequest[]
  /** What happened so far. */
  report(): WireReport
  /**
   * Resolves once a request is paused under this name, at once if one has been.
   * @throws WireError `UNKNOWN_PAUSE`, or `CLOSED` when the server closes first.
   */
  reached(name: string): Promise<void>
  /**
   * Lets every request go on that is held under this name, and says how many.
   * @throws WireError `UNKNOWN_PAUSE`, or `NOT_HELD` when there is none.
   */
  release(name: string): number
  /**
   * Stops listening, breaks every open connection, waits at most two seconds for them to end and
   * gives the final report. May be called again, with the same result.
   */
  close(): Promise<WireReport>
}
