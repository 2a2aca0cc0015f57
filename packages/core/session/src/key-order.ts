type Fields = Readonly<Record<string, unknown>>

/**
 * Known keys in the order of the format. What has them so already keeps its bytes, with whatever
 * unknown keys stand between; else those come last, as they came. Absent values are omitted.
 */
export function inKeyOrder(value: object, known: readonly string[]): Fields {
  const entries = Object.entries(value).filter(([, field]) => field !== undefined)
  const ranks = entries.map(([key]) => known.indexOf(key)).filter((rank) => rank >= 0)
  if (ranks.every((rank, index) => index === 0 || rank > (ranks[index - 1] as number))) {
    return Object.fromEntries(entries)
  }
  const rankOf = ([key]: readonly [string, unknown]): number => {
    const rank = known.indexOf(key)
    return rank < 0 ? known.length : rank
  }
  return Object.fromEntries(entries.toSorted((a, b) => rankOf(a) - rankOf(b)))
}
