import type { Scenario } from '../scenario/types.ts'
import type { TierOptions } from './types.ts'

/** A scenario with what the project says of all of them; what it says itself goes before. */
export function withDefaults(scenario: Scenario, { tools }: Pick<TierOptions, 'tools'>): Scenario {
  if (tools === undefined) return scenario
  const { input } = scenario
  return { ...scenario, input: { ...input, tools: { ...tools, ...input.tools } } }
}
