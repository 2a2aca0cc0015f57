type Fields = Readonly<Record<string, unknown>>

/**
 * Known keys in the order of the format. What has them so already is given back as it is, with
 * whatever unknown keys stand between, and so keeps its bytes; else those come last, as they came.
 */
export function inKeyOrder(value: object, known: readonly string[]): Fields {
  if (isInOrder(value, known)) return value as Fields
  const rankOf = ([key]: readonly [string, unknown]): number => {
    const rank = known.indexOf(key)
    return rank < 0 ? known.length : rank
  }
  return Object.fromEntries(Object.entries(value).toSorted((a, b) => rankOf(a) - rankOf(b)))
}

/** Every event that is written comes by here, so it makes nothing. */
function isInOrder(value: object, known: readonly string[]): boolean {
  let last = -1
  for (const key of Object.keys(value)) {
    const rank = known.indexOf(key)
    if (rank < 0) continue
    if (rank < last) return false
    last = rank
  }
  return true
}
