import { packChunkRuns } from 'dsh-session'
import { expect, test } from 'vitest'
import { LineReader } from '../src/lines.ts'
import { LogScanner } from '../src/scan.ts'
import { readMutatedLogs } from './stress/mutated-logs.mjs'
import { seedOfRun } from './stress/random.mjs'

const seed = seedOfRun()

test(`case R15: a damaged log is read as what it is, or refused (DSH_TEST_SEED=${seed})`, () => {
  const parts = { LogScanner, LineReader, packChunkRuns }
  const { loaded, refused, slowest } = readMutatedLogs({ lines: 20_000, seed, parts })
  expect(loaded).toBeGreaterThan(50)
  expect(refused).toBeGreaterThan(50)
  expect(slowest).toBeLessThan(5000)
})
