import { expect, it } from 'vitest'
import type { Scenario } from '../../src/scenario/types.ts'
import { withDefaults } from '../../src/tier/defaults.ts'

const scenario = (tools?: Scenario['input']['tools']): Scenario => ({
  name: 's',
  dir: '/s',
  input: { steps: [{ op: 'initialize' }], source: 'wire', ...(tools && { tools }) },
  logFiles: [],
})

it('a scenario goes before the project', () => {
  const own = scenario({ bash: 'run' })
  expect(withDefaults(own, {})).toBe(own)
  const both = { bash: 'refuse', web: 'recorded' } as const
  expect(withDefaults(own, { tools: both }).input).toEqual({
    ...own.input,
    tools: { bash: 'run', web: 'recorded' },
  })
  expect(withDefaults(scenario(), { tools: both }).input.tools).toEqual(both)
})
