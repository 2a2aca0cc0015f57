import { isFields } from '../log/lines.ts'
import { compareText } from './compare.ts'
import { firstParting } from './difference.ts'
import type { Difference } from './types.ts'

/** Compares two texts of `tools.expected.json`: the line is that of the file, the path begins with the tool. */
export function compareTools(expected: string, actual: string): Difference | undefined {
  const difference = compareText(expected, actual)
  const [wanted, found] = [toolsByName(expected), toolsByName(actual)]
  if (difference === undefined || wanted === undefined || found === undefined) return difference
  const parting = firstParting(wanted, found)
  // The same tools in another order, or spelt otherwise.
  if (parting === undefined) return difference
  return { line: difference.line, ...parting }
}

/** A list is compared place by place, where one new tool would make every later one differ. */
function toolsByName(text: string): Record<string, unknown> | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!Array.isArray(value)) return undefined
  const named = value.flatMap((tool: unknown) =>
    isFields(tool) && typeof tool['name'] === 'string' ? [[tool['name'], tool] as const] : [],
  )
  const byName = new Map(named)
  return byName.size === value.length ? Object.fromEntries(byName) : undefined
}
