import { AFTER_ESCAPE, isUuid } from 'dsh-llm-replay'

/**
 * What ids look like in a text, also inside JSON that is itself a string (the raw arguments of a tool
 * call). Paths are found by `dsh-llm-replay`, which has to find the same ones.
 */

/** Short ids that are no UUIDs are words of prose too; they count only where they are all. */
const SHORTEST_ID_IN_PROSE = 8

/** Ids other than UUIDs, which `UUID_PATTERN` finds. */
export function idPattern(ids: readonly string[]): string | undefined {
  const others = ids.filter((id) => !isUuid(id)).sort((a, b) => b.length - a.length)
  if (others.length === 0) return undefined
  return others
    .map((id) =>
      id.length < SHORTEST_ID_IN_PROSE
        ? `^${literal(id)}$`
        : `(?:(?<![0-9A-Za-z_-])|${AFTER_ESCAPE})${literal(id)}(?![0-9A-Za-z_-])`,
    )
    .join('|')
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
