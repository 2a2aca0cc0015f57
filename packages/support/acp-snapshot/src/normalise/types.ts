import type { NormaliseRule } from 'dsh-llm-replay'

export type { NormaliseRule } from 'dsh-llm-replay'

/**
 * What the normaliser knows about one scenario's outputs before it looks at them. One context serves
 * all outputs of a scenario (stdout and every log), so that one id becomes one token everywhere.
 */
export interface NormaliseOptions {
  /** Session ids in harvest order: the first becomes `{{session}}`, the next `{{session.1}}`, … */
  readonly sessionIds: readonly string[]
  /** Every path under which the cwd is known; the longest match wins. Each becomes `{{cwd}}`. */
  readonly cwdAliases: readonly string[]
  /** Keep system prompt and tool schemas instead of tokens for them. Default false. */
  readonly pinHeader?: boolean
  /**
   * How UUIDs are numbered where tokens stand in the outputs already.
   *
   * - `after-present` (default), for recordings: after the highest token that is present anywhere, so
   *   that a token never gets a second meaning.
   * - `as-seen`, for live outputs: after the highest token seen so far. In replay the model's part of
   *   an output holds the recording's tokens and the rest has fresh ids; counted so, a fresh id gets
   *   the number that its predecessor got in the recording.
   */
  readonly numbering?: 'after-present' | 'as-seen'
  /**
   * All outputs of the scenario, where they are known: tokens and call ids in any of them count from
   * the first line on. Outputs that are not among them are looked through when they come.
   */
  readonly outputs?: readonly string[]
  /**
   * Ids of the recorded sessions, by place as in `sessionIds`. A replayed model says the ids that it
   * said in the recording; they mean the live sessions in the same places.
   */
  readonly recordedSessionIds?: readonly string[]
  /** A project's own replacements, applied to every text; keys and the words of formats stay. */
  readonly rules?: readonly NormaliseRule[]
}

/**
 * Turns outputs into their normal form. Idempotent: normalising what is normal changes no byte, and
 * a line in which nothing was replaced keeps its bytes. Tokens already in a text pass through, and
 * numbering starts after the highest present. Call ids are data and keep their bytes, even as UUIDs.
 * Numbers are given by first sight in the order of the calls: stdout first, then the logs.
 */
export interface Normaliser {
  /** Raw stdout lines to normal ones. @throws SnapshotError `NOT_JSON` with the line number. */
  stdout(lines: readonly string[]): string[]
  /**
   * A session log to its normal form: `createdAt` becomes `rank`, times 0, ids tokens, paths
   * `{{cwd}}` (over the joined text of each block), request headers scrubbed.
   * @throws SnapshotError `NOT_JSON` with the line number.
   */
  log(text: string, rank: number): string
}
