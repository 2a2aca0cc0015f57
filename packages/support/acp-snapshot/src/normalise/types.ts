/**
 * What the normaliser knows about one scenario's outputs before it looks at them. One context serves
 * all outputs of a scenario (stdout and every log), so that one id becomes one token everywhere.
 */
export interface NormaliseOptions {
  /** Session ids in harvest order: the first becomes `{{session}}`, the next `{{session.1}}`, … */
  readonly sessionIds: readonly string[]
  /** Every path under which the cwd is known; the longest match wins. Each becomes `{{cwd}}`. */
  readonly cwdAliases: readonly string[]
  /** Keep system prompt and tool schemas instead of `{{system}}` and `{{tools}}`. Default false. */
  readonly pinHeader?: boolean
}

/**
 * Turns outputs into their normal form. Idempotent: normalising what is normal changes no byte, and
 * a line in which nothing was replaced keeps its bytes. Tokens already in a text pass through, and
 * numbering starts after the highest present.
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
