import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { AGENT, SCENARIOS } from '../lib/agent.mjs'
import { pairedRatios, row } from '../lib/ratio.mjs'

const CLI = fileURLToPath(new URL('../../packages/support/acp-snapshot/bin.js', import.meta.url))
const run = promisify(execFile)

/** The whole tier with its default workers, over the same with one. */
export async function measure() {
  const tier = (...flags) =>
    run(process.execPath, [CLI, 'replay', '--dir', SCENARIOS, '--agent', `node ${AGENT}`, ...flags])
  const pairs = await pairedRatios(
    3,
    () => tier(),
    () => tier('--workers', '1'),
  )
  return row({
    name: 'tier with default workers ÷ with one worker',
    pairs,
    target: 0.7,
    better: 'below',
  })
}
