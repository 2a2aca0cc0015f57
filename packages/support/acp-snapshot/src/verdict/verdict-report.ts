import { type Acceptance, acceptanceOf } from './accept.ts'
import { type Cause, causeOf } from './cause.ts'
import { invocationOf, type RenderOptions } from './render.ts'
import type { Verdict } from './types.ts'

/**
 * A verdict for programs. Keys are only added, never changed in meaning, as long as `format` is 1.
 *
 * `cause` and `accept` say what the text of a red says; both are absent when green. `findings` has
 * every reason, the first of which is that of `cause`.
 */
export interface VerdictReport extends Verdict {
  readonly format: 1
  readonly cause?: Cause
  readonly accept?: Acceptance
}

/** A verdict with its cause and what accepts it, as one object. */
export function verdictReport(
  verdict: Verdict,
  options: Pick<RenderOptions, 'command' | 'invocation'> = {},
): VerdictReport {
  const cause = causeOf(verdict)
  if (cause === undefined) return { format: 1, ...verdict }
  return { format: 1, ...verdict, cause, accept: acceptanceOf(verdict, invocationOf(options)) }
}

/** The same as one JSON text, without a line feed. */
export function verdictJson(
  verdict: Verdict,
  options?: Pick<RenderOptions, 'command' | 'invocation'>,
): string {
  return JSON.stringify(verdictReport(verdict, options))
}
