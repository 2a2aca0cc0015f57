import { type FindEdits, replaceInText } from '../deltas.ts'
import { ReplayError } from '../error.ts'
import { findByRules, type NormaliseRule, ruleProblems } from '../rules.ts'

/** A text with tokens in place of what rules and `paths` find in it. */
export type NormalText = (text: string, paths: FindEdits) => string

/**
 * The normal form, ids aside, in which texts of both sides are compared. As there, rules come before
 * paths, and both are applied until nothing changes.
 * @throws ReplayError `CONFIG_INVALID` for rules that cannot be any
 */
export function normalText(rules: readonly NormaliseRule[]): NormalText {
  const problems = ruleProblems(rules)
  if (problems.length > 0) throw new ReplayError('CONFIG_INVALID', problems.join('; '))
  if (rules.length === 0) return replaceInText
  const own = findByRules(rules)
  return (text, paths) => {
    let normal = text
    for (;;) {
      const next = replaceInText(replaceInText(normal, own), paths)
      if (next === normal) return normal
      normal = next
    }
  }
}
