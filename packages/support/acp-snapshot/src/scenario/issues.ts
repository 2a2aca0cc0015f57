import { didYouMean } from 'dsh-brand'
import type { z } from 'zod'
import { isFields } from '../log/lines.ts'
import { formatPath } from '../log/path.ts'

/** Names that may be meant, by the place of the mistake. */
export interface KnownNames {
  readonly input: readonly string[]
  readonly ops: readonly string[]
  readonly after: readonly string[]
  readonly step: (op: string) => readonly string[]
}

/** One line per mistake: the path inside the file, what was expected, what may be meant. */
export function describeIssues(
  issues: readonly z.core.$ZodIssue[],
  root: unknown,
  known: KnownNames,
): string[] {
  return issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') {
      const names = namesAt(issue.path, root, known)
      return issue.keys.map((key) => {
        const hint = didYouMean(key, names) || ` (known: ${names.join(', ')})`
        return `${formatPath([...issue.path, key])}: unknown key${hint}`
      })
    }
    if (issue.code === 'invalid_union') {
      const op = valueAt(root, issue.path)
      if (typeof op !== 'string') return `${formatPath(issue.path)}: expected the name of an op`
      const hint = didYouMean(op, known.ops) || ` (known: ${known.ops.join(', ')})`
      return `${formatPath(issue.path)}: unknown op ${JSON.stringify(op)}${hint}`
    }
    const path = formatPath(issue.path)
    return path === '' ? issue.message : `${path}: ${issue.message}`
  })
}

function namesAt(
  path: readonly PropertyKey[],
  root: unknown,
  known: KnownNames,
): readonly string[] {
  if (path.at(-1) === 'after') return known.after
  const owner = valueAt(root, path)
  return isFields(owner) && typeof owner['op'] === 'string' ? known.step(owner['op']) : known.input
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let at = root
  for (const key of path) at = (at as Record<PropertyKey, unknown> | undefined)?.[key]
  return at
}
