/** Edit distance between two short strings (insert, delete, replace each cost 1). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replace = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replace, (row[j] as number) + 1, (next[j - 1] as number) + 1))
    }
    row = next
  }
  return row[b.length] as number
}

/** The candidate closest to `name`, the first one on a tie; undefined when there is none. */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined
  let least = Number.POSITIVE_INFINITY
  for (const candidate of candidates) {
    const cost = distance(name, candidate)
    if (cost >= least) continue
    best = candidate
    least = cost
  }
  return best
}

/** ` (did you mean "x"?)`, or nothing where there is no candidate. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const best = nearest(name, candidates)
  return best === undefined ? '' : ` (did you mean "${best}"?)`
}
