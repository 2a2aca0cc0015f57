import type { StreamChunk } from 'dsh-llm'
import type { Lineage, SessionHeader } from 'dsh-session'
import type { RecordedRequests, RequestDifference } from './requests/types.ts'
import type { NormaliseRule } from './rules.ts'

/**
 * One recorded model call.
 *
 * - `chunks`: a whole answer; ends in `finish`.
 * - `throw`: the chunks that came, then the provider's error. `status` is the HTTP status,
 *   `retryAfterMs` what the provider asked to wait; `code` is absent where the error had none.
 * - `hang`: the chunks that came (by default one text block with "partial"), then nothing until the
 *   call is aborted.
 */
export type ReplayEntry =
  | { readonly kind: 'chunks'; readonly chunks: readonly StreamChunk[] }
  | {
      readonly kind: 'throw'
      readonly chunks: readonly StreamChunk[]
      readonly message: string
      readonly code?: string
      readonly status?: number
      readonly retryAfterMs?: number
    }
  | { readonly kind: 'hang'; readonly chunks?: readonly StreamChunk[] }

/** Puts an entry of its own in the place of one that a log holds. */
export interface Patch {
  /** Which of the session's own calls, in order, from 0; the others stay as they are in the log. */
  readonly at: number
  readonly entry: ReplayEntry
}

/** A tool call of a recording, with its logged result: what `recorded` tools are served from. */
export interface RecordedToolCall {
  readonly turn: number
  readonly step: number
  /** Zero-based position among the calls of that step. */
  readonly call: number
  readonly name: string
  readonly arguments: string
  /** The `data` of the `tool/result` event; absent when the log ends before it. */
  readonly result?: Readonly<Record<string, unknown>>
}

/** Where in its session's log a model call was made. */
export interface CallPosition {
  readonly turn: number
  readonly step: number
}

/** What one recorded session answers. Lane 0 is the primary. */
export interface SessionScript {
  /** The file it came from, as it was configured. */
  readonly file: string
  readonly header: SessionHeader
  /** Its place in the delegation tree; absent where a header on the way to its root does not say. */
  readonly lineage?: Lineage
  /** Calls of purpose `turn`, in order. */
  readonly entries: readonly ReplayEntry[]
  /**
   * The place of each entry in the log, by the same index; patched ones have the place of what they
   * replace. Empty where an override replaced the script: its entries have no place.
   */
  readonly positions: readonly CallPosition[]
  /** Empty where an override replaced the script: of such a log only the header is read. */
  readonly toolCalls: readonly RecordedToolCall[]
  /** What its calls asked for. There where requests are strict, and some call was derived. */
  readonly requests?: RecordedRequests
}

/** How a tool behaves in replay: really, from the recording, or not at all. Absent means `run`. */
export type ToolPolicy = 'run' | 'recorded' | 'refuse'

/**
 * Whether live requests are compared with those that the recording implies. `strict`: each of them,
 * but for the rest of a session after its first difference, which would only follow from that.
 */
export type RequestPolicy = 'strict' | 'off'

/** What `installLlmReplay` works from. Paths are absolute or relative to the process's cwd. */
export interface ReplayConfig {
  /** The primary session's log. */
  readonly file: string
  /**
   * A JSON file that replaces the primary's derived script (an array of `ReplayEntry`), or calls of it
   * (`{"patches": Patch[]}`).
   */
  readonly overrideFile?: string
  /** Logs of the child sessions. */
  readonly childFiles?: readonly string[]
  /** Like `overrideFile`, for children: the override's path by the path of the log it is for. */
  readonly childOverrideFiles?: Readonly<Record<string, string>>
  /** Append-only JSON Lines file that receives `ReportRecord`s; nothing is reported without it. */
  readonly reportFile?: string
  /** What becomes of a tool, by its name. Those that are not named run. */
  readonly tools?: Readonly<Record<string, ToolPolicy>>
  /** Absent means `off`. */
  readonly requests?: RequestPolicy
  /** The replacements by which logs were brought into normal form: what they take is no difference. */
  readonly normalise?: readonly NormaliseRule[]
}

/**
 * Which rule gave a live session its lane.
 *
 * - `lineage`: it has the lane's place in the delegation tree. Holds from the session's creation.
 * - `primary`, `first-call`: places are not known on both sides, and it was the first without a lane
 *   to call, among the children of one parent; `primary` where that gave it lane 0. `first-call` too
 *   for a session whose child got a lane first, which decided the lane of its parent.
 * - `resumed`: the same for a session that had made calls before it was loaded; its log begins with
 *   the lane's answers.
 * - `anonymous`: the calls that name no session, on the primary's script.
 */
export type BindingRule = 'primary' | 'anonymous' | 'lineage' | 'first-call' | 'resumed'

/**
 * Why a call was refused. Stable; the words for people are in `message`.
 *
 * `UNRECORDED_SESSION`: the session belongs to no lane. `LANE_TAKEN`: it belongs to one by its place,
 * and another live session has it.
 * `UNRECORDED_RETRY`: the session called again within the step it was in, and the recording goes on
 * to another step. `MISSING_RETRY`: the recording calls again within one step, and the session went
 * on. Both would shift every later answer. They are seen only where the live session's log is at
 * hand (`ctx.sessions`) and the script is derived; a retry beyond the end of any script is seen too.
 * `LANE_POISONED`: something was refused before in this lane, or to this session where it has none.
 * Whatever the agent made of that, later answers would not be those of the recording.
 * `TOOL_NOT_OFFERED`: there is a policy for a tool that the agent does not have; a misspelt name
 * would let the real tool run.
 */
export type RefusalCode =
  | 'SCRIPT_EXHAUSTED'
  | 'UNRECORDED_SESSION'
  | 'LANE_TAKEN'
  | 'UNRECORDED_PURPOSE'
  | 'UNRECORDED_RETRY'
  | 'MISSING_RETRY'
  | 'LANE_POISONED'
  | 'TOOL_NOT_OFFERED'
  | 'TOOL_REFUSED'
  | 'TOOL_NOT_RECORDED'
  | 'TOOL_ARGUMENTS_DIFFER'

/**
 * One line of the replay report, which decides the verdict whatever the agent made of an error.
 * `lane` is the index of the script (0 is the primary), `call` counts from 1, `session` is the live
 * id or null for anonymous calls. A report that has no `left` record for a loaded lane is
 * unfinished: the agent did not end in order.
 */
export type ReportRecord =
  | {
      readonly event: 'loaded'
      readonly lane: number
      readonly file: string
      readonly calls: number
      /** Of the recording, as `formatLineage` writes it; absent where it is not known. */
      readonly lineage?: string
    }
  | {
      readonly event: 'bound'
      readonly lane: number
      readonly session: string | null
      readonly rule: BindingRule
      /** Of the live session; absent where it is not known. */
      readonly lineage?: string
      /** Calls that a resumed session had made before. */
      readonly after?: number
    }
  | {
      readonly event: 'served'
      readonly lane: number
      readonly session: string | null
      readonly call: number
    }
  /** A hang has served its chunks and waits: a cancel may go out now. */
  | {
      readonly event: 'ready'
      readonly lane: number
      readonly session: string | null
      readonly call: number
    }
  | {
      readonly event: 'refused'
      readonly code: RefusalCode
      readonly message: string
      readonly lane?: number
      readonly call?: number
      readonly session: string | null
    }
  /**
   * The call asks for something else than the recording implies. It is answered all the same, so that
   * the rest of the run can be compared; the verdict is red whatever that says.
   */
  | ({
      readonly event: 'drifted'
      readonly lane: number
      readonly session: string | null
      readonly call: number
    } & RequestDifference)
  /**
   * Written once per lane when replay is disposed. `served` is how far the lane was got through,
   * counting the calls that a resumed session had made before; `left` is the rest of the script.
   * Where several processes write one report, the furthest `served` of a lane counts.
   */
  | {
      readonly event: 'left'
      readonly lane: number
      readonly served: number
      readonly left: number
    }
