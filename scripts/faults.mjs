// Faults put into copies of the product, to see whether the product notices: outside the gate in full.
//
// Usage: pnpm run faults [--seed N] [--only NAME …] [--quick] [--workers N] [--list] [--json]
//
//   --seed N      draws the same faults again (default: 1)
//   --only NAME   chosen faults alone, by name; may be given more than once
//   --quick       draws none, and looks only where a chosen fault says that it shows
//   --workers N   how many faults at a time (default: 2)
//   --list        the chosen faults and the known verdicts, and nothing else
//   --json        the outcome as one JSON object on stdout; what goes on is then said on stderr
//
// What is a fault, what detects it, and what the words of the table mean: scripts/faults/README.md.
// Exits with 1 where a target is missed. It needs the built output (`pnpm build`).

import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { runCampaign } from './faults/campaign.mjs'
import { CHOSEN } from './faults/chosen/index.mjs'
import { GUARDS } from './faults/guards.mjs'
import { problemsOf, standing, tableOf } from './faults/judgement.mjs'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    only: { type: 'string', multiple: true, default: [] },
    quick: { type: 'boolean', default: false },
    workers: { type: 'string', default: '2' },
    list: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})

function count(name) {
  const value = Number(values[name])
  if (Number.isSafeInteger(value) && value > 0) return value
  throw new Error(`--${name} must be a whole number from 1, got "${values[name]}"`)
}

async function campaign() {
  const began = performance.now()
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop.abort())
  const temp = realpathSync(mkdtempSync(join(tmpdir(), 'dsh-faults-')))
  const say = (text) => (values.json ? process.stderr : process.stdout).write(`${text}\n`)
  try {
    const { outcomes, problems } = await runCampaign({
      root: fileURLToPath(new URL('..', import.meta.url)),
      temp,
      seed: count('seed'),
      only: values.only,
      quick: values.quick,
      workers: count('workers'),
      signal: stop.signal,
      say,
    })
    problems.push(...problemsOf(outcomes, { whole: values.only.length === 0 && !values.quick }))
    for (const line of tableOf(outcomes)) say(line)
    for (const problem of problems) say(`! ${problem}`)
    const seconds = Math.round((performance.now() - began) / 1000)
    say(`${problems.length === 0 ? 'every target holds' : 'a target is missed'} (${seconds} s)`)
    if (values.json) {
      const rows = outcomes.map(({ fault, ...rest }) => ({
        name: fault.name,
        area: fault.area,
        ...(fault.change !== undefined && { change: fault.change }),
        standing: standing({ fault, ...rest }),
        ...rest,
      }))
      process.stdout.write(`${JSON.stringify({ seed: count('seed'), outcomes: rows, problems })}\n`)
    }
    process.exitCode = problems.length === 0 ? 0 : 1
  } finally {
    rmSync(temp, { recursive: true, force: true })
  }
}

if (values.list) {
  for (const { area, name, expect } of CHOSEN) {
    process.stdout.write(`${area}: ${name} (${expect.join(' or ')})\n`)
  }
  for (const { name, expect } of GUARDS) process.stdout.write(`known: ${name} (${expect})\n`)
} else await campaign()
