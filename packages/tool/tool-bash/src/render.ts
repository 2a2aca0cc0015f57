/** How a command ended. */
export interface CommandEnd {
  readonly stdout: string
  readonly stderr: string
  /** null where a signal ended it. */
  readonly exitCode: number | null
  readonly signal: string | null
  /** The limit that it ran into. */
  readonly timedOutMs?: number
}

/** What the model reads: stdout as it is, then markers, each on a line of its own. */
export function renderEnd(end: CommandEnd): string {
  let text = end.stdout
  const add = (part: string): void => {
    text += text === '' || text.endsWith('\n') ? part : `\n${part}`
  }
  if (end.stderr !== '') add(`[stderr]\n${end.stderr}`)
  if (text === '') text = '(no output)'
  if (end.timedOutMs !== undefined) add(`[timed out after ${end.timedOutMs}ms]`)
  if (end.signal !== null) add(`[killed by signal: ${end.signal}]`)
  else if (end.exitCode !== 0) add(`[exit code: ${end.exitCode}]`)
  return text
}
