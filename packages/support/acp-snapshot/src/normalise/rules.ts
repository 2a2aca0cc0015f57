import { type FindEdits, findByRules, type NormaliseRule, ruleProblems } from 'dsh-llm-replay'
import { SnapshotError } from '../error.ts'

/**
 * Finds what a project's own rules replace in a text.
 * @throws SnapshotError `BAD_CONFIG`, naming every rule that cannot be one
 */
export function compileRules(rules: readonly NormaliseRule[]): FindEdits {
  const problems = ruleProblems(rules)
  if (problems.length > 0) throw new SnapshotError('BAD_CONFIG', problems.join('\n'))
  return findByRules(rules)
}
