import type { WireRule, WireScript } from '../types.ts'

/** A fault that concerns more than one place of a script. */
export interface Clash {
  readonly path: readonly (string | number)[]
  readonly message: string
}

/**
 * Rules that can only ever be ambiguous, and names that are used twice. Found before the first
 * request, so that a run does not have to get there to fail.
 */
export function findClashes(script: WireScript): Clash[] {
  return [
    ...twice(script.rules, (rule) => rule.name, ['name'], 'the name of'),
    ...twice(script.rules, (rule) => canonical(rule.when), ['when'], 'the same "when" as'),
    ...twice(script.rules, pauseName, ['answer', 'fault'], 'the pause name of'),
  ]
}

/** The name under which a rule's hang or hold is known; absent where it has none. */
export function pauseName(rule: WireRule, index: number): string | undefined {
  if (!('fault' in rule.answer)) return undefined
  const fault = rule.answer.fault
  if (fault?.kind !== 'hang' && fault?.kind !== 'hold') return undefined
  return fault.name ?? `rule ${index}`
}

function twice(
  rules: readonly WireRule[],
  keyOf: (rule: WireRule, index: number) => string | undefined,
  field: readonly string[],
  what: string,
): Clash[] {
  const first = new Map<string, number>()
  const clashes: Clash[] = []
  for (const [index, rule] of rules.entries()) {
    const key = keyOf(rule, index)
    if (key === undefined) continue
    const earlier = first.get(key)
    if (earlier === undefined) first.set(key, index)
    else clashes.push({ path: ['rules', index, ...field], message: `${what} rules[${earlier}]` })
  }
  return clashes
}

function canonical(when: WireRule['when']): string {
  return JSON.stringify(Object.entries(when).sort(([a], [b]) => (a < b ? -1 : 1)))
}
