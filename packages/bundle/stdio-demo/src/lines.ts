import type { Readable } from 'node:stream'
import { DshError } from 'dsh-brand'

/** How long a line may be, in UTF-16 units. */
export const MAX_LINE = 1_048_576

/**
 * The lines of a stream, without their ends; the last one may lack its own. Reads on only when the
 * next line is asked for.
 * @throws DshError `LINE_TOO_LONG`; what the stream fails with.
 */
export async function* linesOf(input: Readable): AsyncGenerator<string, void, undefined> {
  input.setEncoding('utf8')
  let rest = ''
  for await (const chunk of input as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() as string
    for (const line of lines) yield checked(line)
    checked(rest)
  }
  if (rest !== '') yield checked(rest)
}

function checked(line: string): string {
  if (line.length > MAX_LINE) {
    throw new DshError(
      'LINE_TOO_LONG',
      `a prompt is one line of at most ${MAX_LINE} characters, got more; put long text into a file and name it`,
    )
  }
  return line.replace(/\r$/, '')
}
