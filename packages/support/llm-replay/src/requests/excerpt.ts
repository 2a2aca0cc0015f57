import type { JsonDifference } from './compare.ts'
import type { RequestDifference } from './types.ts'

/** Characters that are told of each side. */
const MOST = 160
/** How much of what both sides share is told before they part. */
const CONTEXT = 30

/** A difference for people: values as JSON text, of long ones the part in which they differ. */
export function describeDifference({ path, expected, actual }: JsonDifference): RequestDifference {
  const [left, right] = [JSON.stringify(expected), JSON.stringify(actual)]
  const from = left === undefined || right === undefined ? 0 : partsAt(left, right)
  return {
    path: formatPath(path),
    ...(left === undefined ? {} : { expected: cut(left, from) }),
    ...(right === undefined ? {} : { actual: cut(right, from) }),
  }
}

function partsAt(left: string, right: string): number {
  if (Math.max(left.length, right.length) <= MOST) return 0
  let same = 0
  while (same < left.length && left[same] === right[same]) same += 1
  return Math.max(0, same - CONTEXT)
}

function cut(text: string, from: number): string {
  const rest = text.slice(from)
  const shown = rest.length <= MOST ? rest : `${rest.slice(0, MOST)}…`
  return from === 0 ? shown : `…${shown}`
}

function formatPath(path: JsonDifference['path']): string {
  return path
    .map((part, at) => {
      if (typeof part === 'number') return `[${part}]`
      if (!/^[A-Za-z_$][\w$]*$/.test(part)) return `[${JSON.stringify(part)}]`
      return at === 0 ? part : `.${part}`
    })
    .join('')
}
