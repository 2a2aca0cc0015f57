import type { RefusalCode } from 'dsh-llm-replay'
import type { RunFault } from '../run/types.ts'
import type { ScenarioSource } from '../scenario/types.ts'

/**
 * The first place where two files part. Where two events of different types meet, or a line is too
 * many or missing, the values are the whole events, without what merely counts them (`seq`, `time`,
 * `sourceEventSeqs`), and the path is empty.
 */
export interface Difference {
  /** Line in the file, from 1. */
  readonly line: number
  /** Path inside the line's value, as `data.content[0].text`; empty for the whole line. */
  readonly path: string
  /** JSON text, or undefined where this side ends. */
  readonly expected: string | undefined
  readonly actual: string | undefined
  /** The recorded event's type (the live one's where the recording ends), where the line is an event. */
  readonly eventType?: string
  /** `extra`: the live line is too many, and the next one fits. `missing`: the recorded one is left out. */
  readonly shift?: 'extra' | 'missing'
  /** Turn and step of the event, where it says. */
  readonly turn?: number
  readonly step?: number
  /** The tool, where the event is a call of one or its result. */
  readonly tool?: string
  /** The model call of this session in which it lies, from 1, where there was one before it. */
  readonly call?: number
}

/**
 * What went wrong between the calls of a run and the lanes of its recording, each kind for what it is.
 *
 * - `extra-call`: a session calls the model more often than its lane holds calls.
 * - `unrecorded-session`: a session calls that belongs to no lane.
 * - `wrong-lane`: sessions and lanes are not paired one to one by their places: two live sessions are
 *   at one place, a session has a lane of another lineage, or a session has two lanes, or a lane two.
 * - `unrecorded-retry`: a session calls again within a step, and the recording does not.
 * - `missing-retry`: the recording calls again within a step, and the session does not.
 * - `poisoned`: the further calls of a lane or session that was refused something; never the cause.
 * - `refused`: whatever else replay refuses; `code` says what.
 */
export type RefusalKind =
  | 'extra-call'
  | 'unrecorded-session'
  | 'wrong-lane'
  | 'unrecorded-retry'
  | 'missing-retry'
  | 'poisoned'
  | 'refused'

/** A finding about a call that replay did not answer, or about whom it answered. */
export interface RefusalFinding {
  readonly kind: RefusalKind
  /** As replay reported it; absent where the report as a whole says it, and no refusal. */
  readonly code?: RefusalCode
  /** One or more sentences for people. */
  readonly message: string
  readonly lane?: number
  /** In its lane, from 1. Of `poisoned`, the first that was refused for that alone. */
  readonly call?: number
  /** Of `poisoned`: how many calls were refused for that alone. */
  readonly calls?: number
}

/** One reason why a scenario is red. Kinds are stable and meant for programs. */
export type Finding =
  | { readonly kind: 'fault'; readonly fault: RunFault }
  | RefusalFinding
  /** Recorded calls that were never made. */
  | {
      readonly kind: 'leftover'
      readonly lane: number
      readonly file: string
      readonly served: number
      readonly left: number
    }
  | { readonly kind: 'report-incomplete'; readonly message: string }
  /** The report tells of another recording than the scenario's. */
  | { readonly kind: 'report-differs'; readonly message: string }
  | { readonly kind: 'stdout-differs'; readonly file: string; readonly difference: Difference }
  | { readonly kind: 'stdout-missing'; readonly file: string }
  | { readonly kind: 'log-differs'; readonly file: string; readonly difference: Difference }
  | { readonly kind: 'log-missing'; readonly file: string }
  | {
      readonly kind: 'log-extra'
      /** The token of the session. */
      readonly session: string
      readonly path: string
      /** Who started it and where, in words; absent where its header does not say. */
      readonly startedBy?: string
      /** The text that it was first asked, where it was. */
      readonly asked?: string
    }
  /**
   * A file below the sessions root that is no log, or a line of one that is not JSON; what stands
   * before such a line is compared all the same.
   */
  | { readonly kind: 'log-unreadable'; readonly path: string; readonly message: string }
  /**
   * A line of a log or of stdout (`file` says which) that reads as something, but has a form in which
   * part of it may get lost: a key that stands twice, no line feed, spelt as no store would spell it.
   */
  | {
      readonly kind: 'line-form'
      readonly file: string
      readonly line: number
      readonly message: string
    }
  /** A pinned header file. */
  | { readonly kind: 'header-differs'; readonly file: string; readonly difference: Difference }
  | DriftFinding

/**
 * A session asked the model for something else than its recording implies; the first such call of
 * the session. It was answered all the same. Values are JSON text, cut to where they part.
 */
export interface DriftFinding {
  readonly kind: 'request-drift'
  readonly lane: number
  /** The name of the lane's log. */
  readonly file: string
  readonly call: number
  /** Inside the request, as `messages[4].content[0].text`. */
  readonly path: string
  /** Undefined where this side has nothing there. */
  readonly expected: string | undefined
  readonly actual: string | undefined
}

/** A tool call without a result. */
export interface PendingTool {
  /** Its name; the call's title where only stdout tells of it, and no log knows it. */
  readonly tool: string
  /** The live log below the sessions root, or `stdout.expected.jsonl` for the run's own stdout. */
  readonly file: string
  /** Of the call, in that file, from 1. */
  readonly line: number
}

/** One lane in numbers. */
export interface LaneSummary {
  readonly lane: number
  /** The name of its log. */
  readonly file: string
  /** Its place in the delegation tree, as `0/1.2.0.0`, where the recording says. */
  readonly lineage?: string
  /** The rules by which live sessions got it, or `nothing`. */
  readonly boundBy: string
  readonly served: number
  readonly left: number
}

/**
 * What makes a red scenario green, if the new behaviour is wanted: rewriting what the code produces
 * (`refresh`), other model answers (`record`, or `by-hand` where the scenario is authored), another
 * agent (`agent`, where the recording is somebody else's), requests that follow from the log
 * (`requests`), other rules of the embedded model (`script`), or only a repair (`fix`).
 */
export type Remedy = 'refresh' | 'record' | 'by-hand' | 'agent' | 'requests' | 'script' | 'fix'

/**
 * How people of a project rewrite scenarios: the command line that brings these scenarios up to date
 * in this mode. No names means all.
 */
export type Invocation = (mode: 'refresh' | 'record', names: readonly string[]) => string

/** What a run of a scenario came to: green, or red with every reason. */
export interface Verdict {
  readonly scenario: string
  /** Absent when green. */
  readonly remedy?: Remedy
  /**
   * What else helps: `record` beside the remedy `refresh` where the model is shown something else than
   * in the recording, so that its answers may be out of date.
   */
  readonly alternative?: 'record'
  /** Where the model answers of the scenario came from. */
  readonly source?: ScenarioSource
  readonly status: 'passed' | 'failed'
  /**
   * Causes before what they bring about: refusals in the order of the report, then faults, poisoned
   * lanes, leftovers, and at last differences.
   */
  readonly findings: readonly Finding[]
  readonly lanes: readonly LaneSummary[]
  /** The last model call that replay answered, where it answered any. */
  readonly lastCall?: { readonly lane: number; readonly call: number }
  /** Of a run that was cut short within tools: what it waited for, a parent's before its child's. */
  readonly pendingTools?: readonly PendingTool[]
  readonly logsCompared: number
  readonly durationMs: number
  readonly stderrTail: string
  /** What people have to know of the run though it decides nothing, as that commands had a network. */
  readonly notices: readonly string[]
  /** Kept on failure. */
  readonly runDir?: string
}
