/** No command is nearly this long; a line that is will not be kept. */
export const MAX_LINE: number = 64 * 1024

/**
 * Cuts a stream of text into lines. A line over the limit is dropped and reported as undefined; an
 * unterminated last line does not count.
 */
export function lineSplitter(onLine: (line: string | undefined) => void): (chunk: string) => void {
  let kept = ''
  let over = false
  return (chunk) => {
    const [first = '', ...rest] = chunk.split('\n')
    take(first)
    for (const next of rest) {
      onLine(over ? undefined : kept)
      kept = ''
      over = false
      take(next)
    }
  }

  function take(text: string): void {
    over ||= kept.length + text.length > MAX_LINE
    kept = over ? '' : kept + text
  }
}
