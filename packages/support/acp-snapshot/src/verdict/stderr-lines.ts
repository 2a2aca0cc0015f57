/** What of a crash's report says nothing to people: frames, the runtime's name, pointers into a line. */
const NOISE = /^(?:\s+at\s.*|\s*\^+|Node\.js v[\d.]+|\s*)$/

/** The last lines of stderr that tell something: what was thrown, and the first frame below it. */
export function tellingLines(stderrTail: string, most: number): string[] {
  if (most <= 0) return []
  const lines = stderrTail.split('\n')
  const telling = lines.filter(
    (line, index) => !NOISE.test(line) || (isFrame(line) && !isFrame(lines[index - 1] ?? '')),
  )
  return telling.slice(-most)
}

function isFrame(line: string): boolean {
  return /^\s+at\s/.test(line)
}
