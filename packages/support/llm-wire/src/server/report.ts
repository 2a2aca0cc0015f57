import type { ReadyRule } from '../script/ready.ts'
import type { WireRefused, WireReport, WireRequest, WireServed, WireUnused } from '../types.ts'

/** @param uses how often a rule has answered; @param over requests that were not kept. */
export function buildReport(
  rules: readonly ReadyRule[],
  records: readonly WireRequest[],
  uses: (rule: number) => number,
  over: number,
  limit: number,
): WireReport {
  const served = records.flatMap((record) => servedEntry(record, rules))
  const refused = records.flatMap(refusedEntry)
  if (over > 0) {
    refused.push({ code: 'limit', message: `${over} requests over the limit of ${limit}` })
  }
  const unused = rules.flatMap((rule) => unusedEntry(rule, uses(rule.index)))
  return { ok: refused.length === 0 && unused.length === 0, served, refused, unused }
}

function servedEntry(record: WireRequest, rules: readonly ReadyRule[]): WireServed[] {
  const { number, result, facets } = record
  if (result.kind !== 'served' || facets === undefined) return []
  const name = rules[result.rule]?.name
  return [
    {
      request: number,
      rule: result.rule,
      ...(name !== undefined && { name }),
      attempt: facets.attempt,
      ...(facets.lineage !== undefined && { lineage: facets.lineage }),
      outcome: result.outcome,
    },
  ]
}

function refusedEntry({ number, result }: WireRequest): WireRefused[] {
  if (result.kind !== 'refused') return []
  const { kind: _refused, ...why } = result
  return [{ request: number, ...why }]
}

function unusedEntry(rule: ReadyRule, used: number): WireUnused[] {
  if (used >= rule.times) return []
  const { index, name, when, times } = rule
  return [{ rule: index, ...(name !== undefined && { name }), when, used, times }]
}
