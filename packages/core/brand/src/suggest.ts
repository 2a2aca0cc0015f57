/** `, did you mean "prompt"?` for the nearest of the known names, or nothing when none is near. */
export function didYouMean(given: string, known: Iterable<string>): string {
  const name = nearest(given, known)
  return name === undefined ? '' : `, did you mean "${name}"?`
}

/** The known name that takes the fewest changes, at most a third of the longer one's length. */
export function nearest(given: string, known: Iterable<string>): string | undefined {
  let best: string | undefined
  let fewest = Number.POSITIVE_INFINITY
  for (const name of known) {
    const changes = distance(given.toLowerCase(), name.toLowerCase())
    if (changes <= Math.max(given.length, name.length) / 3 && changes < fewest) {
      best = name
      fewest = changes
    }
  }
  return best
}

/** Insertions, deletions and substitutions between two texts (Levenshtein). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const substitute = at(row, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(substitute, at(row, j) + 1, at(next, j - 1) + 1))
    }
    row = next
  }
  return at(row, b.length)
}

function at(row: readonly number[], index: number): number {
  return row[index] as number
}
