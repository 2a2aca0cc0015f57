import type { Facets } from '../types.ts'
import type { RuleVerdict } from './judge.ts'

/** A request that gets no answer, and all that is needed to say why. */
export interface Miss {
  readonly number: number
  readonly facets: Facets
  /** The number of the request that this one repeats. */
  readonly retryOf?: number
  readonly source: string
  readonly verdicts: readonly RuleVerdict[]
  /** The numbers of the requests that a rule has answered. */
  readonly uses: (rule: number) => readonly number[]
}

const NEAREST = 3
const SHOWN = 160

/** No rule matches: what came, and the rules that come nearest, used-up ones apart. */
export function explainUnscripted(miss: Miss): string {
  const spent = (verdict: RuleVerdict): boolean => isSpent(verdict, miss)
  const ranked = [...miss.verdicts].sort(byNearness)
  return lines([
    `no rule of ${miss.source} matches ${came(miss)}`,
    ...listed(
      'nearest rules, counted from 0',
      ranked.filter((verdict) => !spent(verdict)),
      miss,
    ),
    ...listed('already consumed', ranked.filter(spent), miss),
    ...(lacksLineage(miss) ? [NO_LINEAGE] : []),
    `add a rule for this request to ${miss.source}, or find out why it was made`,
  ])
}

/** Rules ask for a lineage, and the request names none: the adapter is not set up to send it. */
function lacksLineage({ facets, verdicts }: Miss): boolean {
  if (facets.lineage !== undefined) return false
  return verdicts.some((verdict) => verdict.facets.some(({ facet }) => facet === 'lineage'))
}

const NO_LINEAGE =
  'the request names no lineage: have the adapter send the session header' +
  ' (dsh-llm-deepseek: sessionHeader: !!js process.env.DSH_SNAPSHOT_SESSION_HEADER)'

/** The one rule that matches has answered as often as it may. */
export function explainConsumed(miss: Miss, verdict: RuleVerdict): string {
  return lines([
    `${label(verdict)} of ${miss.source} matches ${came(miss)}, but is already consumed`,
    `  ${label(verdict)}: ${usage(verdict, miss)}`,
    'add a rule with "attempt" for a retry, raise "times", or find out why the request was made',
  ])
}

/** More than one rule matches. */
export function explainAmbiguous(miss: Miss, verdicts: readonly RuleVerdict[]): string {
  return lines([
    `${verdicts.length} rules of ${miss.source} match ${came(miss)}`,
    ...listed('they are', verdicts, miss),
    'tell them apart, for example by "step", "turn", "attempt" or "lineage"',
  ])
}

function came({ number, facets, retryOf }: Miss): string {
  const retry = retryOf === undefined ? '' : `, a retry of request #${retryOf}`
  const shown = Object.entries(facets).map(([facet, value]) => `${facet} ${quote(value)}`)
  return `request #${number}${retry}: ${shown.join(', ')}`
}

function listed(title: string, verdicts: readonly RuleVerdict[], miss: Miss): string[] {
  if (verdicts.length === 0) return []
  const shown = verdicts.slice(0, NEAREST)
  const more = verdicts.length - shown.length
  return [
    `${title}:`,
    ...shown.map((verdict) => describe(verdict, miss)),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ]
}

function describe(verdict: RuleVerdict, miss: Miss): string {
  const facets = verdict.facets.map(({ facet, wanted, ok }) =>
    ok ? `${facet} matches` : `${facet} is not ${quote(wanted)}`,
  )
  const spent = isSpent(verdict, miss) ? ` (${usage(verdict, miss)})` : ''
  return `  ${label(verdict)}${spent}: ${facets.length > 0 ? facets.join(', ') : 'matches anything'}`
}

function usage({ rule }: RuleVerdict, { uses }: Miss): string {
  const by = uses(rule.index)
  return `used ${by.length} of ${rule.times}, last by request #${by.at(-1)}`
}

function isSpent({ rule }: RuleVerdict, { uses }: Miss): boolean {
  return uses(rule.index).length >= rule.times
}

function label({ rule }: RuleVerdict): string {
  return rule.name === undefined ? `rule ${rule.index}` : `rule ${rule.index} "${rule.name}"`
}

/** Of rules that miss alike, those for the same session come first: that is where the script goes on. */
function byNearness(a: RuleVerdict, b: RuleVerdict): number {
  return (
    a.misses - b.misses ||
    Number(isForSession(b)) - Number(isForSession(a)) ||
    b.facets.length - a.facets.length ||
    a.rule.index - b.rule.index
  )
}

function isForSession({ facets }: RuleVerdict): boolean {
  return facets.some(({ facet, ok }) => facet === 'lineage' && ok)
}

/** Both ends of a long text, since prompts often differ in their last words only. */
function quote(value: unknown): string {
  const text = JSON.stringify(value)
  if (text.length <= SHOWN) return text
  return `${text.slice(0, SHOWN / 2)} … ${text.slice(-SHOWN / 2)}`
}

function lines(list: readonly string[]): string {
  return list.join('\n')
}
