import { expect, it } from 'vitest'
import { isTime } from '../src/index.ts'

const NOW = 1783352166075

it.each([
  ['durationMs', 1.5],
  ['duration', 0],
  ['elapsedMs', 3],
  ['elapsed', 4],
  ['time', 1e12],
  ['timestamp', NOW],
  ['startedAt', NOW],
])('%s of %d is a time', (key, value) => {
  expect(isTime(key, value)).toBe(true)
})

it.each([
  ['timeoutMs', 5],
  ['time', 1e12 - 1],
  ['at', NOW],
  ['uptime', NOW],
  ['format', NOW],
  ['timestamps', NOW],
  ['startedAtAll', NOW],
])('%s of %d is none', (key, value) => {
  expect(isTime(key, value)).toBe(false)
})
