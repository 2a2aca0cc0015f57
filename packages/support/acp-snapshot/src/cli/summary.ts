import type { Invocation, Remedy } from '../verdict/types.ts'

/** A scenario that is red, and what would make it green; nothing where it was not even run. */
export interface RedName {
  readonly name: string
  readonly remedy?: Remedy | undefined
}

/** The reds of a run by what helps, with the one command for all of a kind. None for a single red. */
export function summaryLines(reds: readonly RedName[], invocation: Invocation): string[] {
  if (reds.length < 2) return []
  const groups = new Map<string, string[]>()
  for (const { name, remedy } of reds) {
    const key = remedy === 'refresh' || remedy === 'record' ? remedy : 'mend'
    groups.set(key, [...(groups.get(key) ?? []), name])
  }
  const rows = (['mend', 'record', 'refresh'] as const).flatMap((key) => {
    const names = groups.get(key)
    if (names === undefined) return []
    const how = key === 'mend' ? names.join(', ') : invocation(key, names)
    return [`  ${key.padEnd(10)}${how}`]
  })
  return [`✗ ${reds.length} red, by what makes them green if the new behaviour is wanted:`, ...rows]
}
