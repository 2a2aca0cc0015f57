import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

const run = promisify(execFile)
const script = (name: string): string =>
  fileURLToPath(new URL(`../../../scripts/${name}`, import.meta.url))

/** In full it is `pnpm run faults`: here, one of each kind of part, looked for where it shows. */
const FAULTS = [
  ['drop a tool result', 'log-differs:tool/result'],
  ['give a child what its sibling said', 'log-differs:tool/result'],
  ['skip every flush', 'log-missing'],
  ['swallow a failed turn', 'fault:step-failed'],
  ['report no refusal', 'misnamed:extra-call>fault:step-failed'],
  ['skip the check of the report', 'missed:leftover'],
] as const

describe('faults in copies of the product', () => {
  it('are noticed by the product, and called what they are', { timeout: 180_000 }, async () => {
    const only = FAULTS.flatMap(([name]) => ['--only', name])
    const { stdout } = await run(process.execPath, [
      script('faults.mjs'),
      '--quick',
      '--json',
      ...only,
    ])
    const { outcomes, problems } = JSON.parse(stdout) as {
      outcomes: { name: string; standing: string; label?: string }[]
      problems: string[]
    }
    expect(problems).toEqual([])
    const found = new Map(outcomes.map(({ name, label }) => [name, label]))
    expect(found).toEqual(new Map(FAULTS))
  })
})

describe('the sound product under load', () => {
  it('gives no false alarm where timing could matter', { timeout: 180_000 }, async () => {
    const { stdout } = await run(process.execPath, [
      script('steady.mjs'),
      '--tier=0',
      '--delicate=2',
      '--load=2',
    ])
    const [, runs, failed] = /(\d+) runs, (\d+) failed/.exec(stdout) ?? []
    expect(Number(failed)).toBe(0)
    expect(Number(runs)).toBeGreaterThanOrEqual(20)
  })
})
