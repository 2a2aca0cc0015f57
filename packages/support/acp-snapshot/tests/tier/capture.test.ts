import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { capture } from '../../src/tier/capture.ts'
import { open, scenario, useTempDir } from '../run/harness.ts'

const tempRoot = useTempDir()
const AGENT = fileURLToPath(new URL('../agents/environment.mjs', import.meta.url))

test('the rules of the project reach the agent whose requests are compared', async () => {
  const strict = scenario(open, { requests: 'strict' }, { logFiles: [] })
  const { faults, folder } = await capture(strict, 'replay', {
    agent: { command: [process.execPath, AGENT] },
    tempRoot: tempRoot(),
    normalise: [{ pattern: 'build-\\d+', token: '{{build}}' }],
  })
  expect(faults).toEqual([])
  const { env } = JSON.parse(await readFile(join(folder.cwd, 'environment.json'), 'utf8'))
  expect(JSON.parse(env.DSH_SNAPSHOT_NORMALISE)).toEqual([
    { pattern: 'build-\\d+', token: '{{build}}' },
  ])
})
