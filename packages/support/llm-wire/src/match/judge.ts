import type { ReadyRule } from '../script/ready.ts'
import type { FacetName, Facets, TextPattern, WireWhen } from '../types.ts'

/** One facet that a rule asks for, and whether the request has it. */
interface FacetVerdict {
  readonly facet: FacetName
  readonly wanted: TextPattern | number
  readonly ok: boolean
}

/** A rule held against a request. */
export interface RuleVerdict {
  readonly rule: ReadyRule
  readonly facets: readonly FacetVerdict[]
  /** How many of them do not hold; the rule matches at 0. */
  readonly misses: number
}

/**
 * Holds every rule against a request. How often a rule has been used plays no part: which rules
 * match must not depend on who came first.
 */
export function judgeRules(rules: readonly ReadyRule[], facets: Facets): RuleVerdict[] {
  return rules.map((rule) => {
    const verdicts = judgeWhen(rule.when, facets)
    return { rule, facets: verdicts, misses: verdicts.filter((verdict) => !verdict.ok).length }
  })
}

function judgeWhen(when: WireWhen, facets: Facets): FacetVerdict[] {
  const entries = Object.entries(when) as [FacetName, TextPattern | number][]
  return entries.map(([facet, wanted]) => ({ facet, wanted, ok: holds(wanted, facets[facet]) }))
}

function holds(wanted: TextPattern | number, value: string | number | undefined): boolean {
  if (typeof wanted === 'number' || typeof wanted === 'string') return wanted === value
  if (typeof value !== 'string') return false
  return 'contains' in wanted
    ? value.includes(wanted.contains)
    : new RegExp(wanted.matches).test(value)
}
