import { defineConfig } from 'vitest/config'
import { unit } from './vitest.config.ts'

// For `scripts/mutate.mjs`: the unit tests of the packages whose code is mutated, and no others.
const include = (process.env.DSH_MUTATE_TESTS ?? '').split(',').filter((glob) => glob !== '')

// Those put faults in by text, which instrumented sources do not hold.
const exclude = [...unit.test.exclude, '**/guards.test.ts']

export default defineConfig({ ...unit, test: { ...unit.test, include, exclude } })
