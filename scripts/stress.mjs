// What the gate does in small, at length: outside the gate, on the built output.
//
// Usage: pnpm stress [NAME …] [--kills N] [--lines N] [--gigabytes N] [--runs N] [--seed N]
//
//   kills   kills a writing process N times (default 200), half of them with packed logs
//   logs    reads N lines of damaged logs (default 1000000)
//   codec   runs the property tests N times as long (default 50)
//   check   checks a log of N gigabytes (default 1) and measures the heap
//
// Prints figures and the seed; the same seed does the same again. Exits with 1 when something failed.

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { packChunkRuns } from '../packages/core/session/dist/index.js'
import { LineReader } from '../packages/session/session-jsonl/dist/lines.js'
import { LogScanner } from '../packages/session/session-jsonl/dist/scan.js'
import { writeBigLog } from '../packages/session/session-jsonl/tests/stress/big-log.mjs'
import { killRounds } from '../packages/session/session-jsonl/tests/stress/kill-rounds.mjs'
import { readMutatedLogs } from '../packages/session/session-jsonl/tests/stress/mutated-logs.mjs'
import { seedOfRun } from '../packages/session/session-jsonl/tests/stress/random.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const HEAP_SCRIPT = join(root, 'packages/session/session-jsonl/tests/stress/check-heap.mjs')
const HEAP_LIMIT = 200 * 2 ** 20

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    kills: { type: 'string', default: '200' },
    lines: { type: 'string', default: '1000000' },
    gigabytes: { type: 'string', default: '1' },
    runs: { type: 'string', default: '50' },
    seed: { type: 'string' },
  },
})
const number = (name) => {
  const value = Number(values[name])
  if (Number.isFinite(value) && value > 0) return value
  throw new Error(`--${name} must be a number above 0, got "${values[name]}"`)
}
const seed = values.seed === undefined ? seedOfRun() : Number(values.seed)
const say = (text) => process.stdout.write(`${text}\n`)

const stresses = {
  async kills() {
    const rounds = Math.ceil(number('kills') / 2)
    for (const layout of ['plain', 'packed']) {
      const { kills, events } = await inFolder((folder) =>
        killRounds({ root: folder, rounds, seed, layout }),
      )
      say(`  ${layout}: killed ${kills} times, nothing lost of ${events} events`)
    }
  },

  logs() {
    const parts = { LogScanner, LineReader, packChunkRuns }
    const { logs, lines, loaded, refused, slowest } = readMutatedLogs({
      lines: number('lines'),
      seed,
      parts,
    })
    say(`  ${logs} damaged logs, ${lines} lines: ${loaded} loaded, ${refused} refused`)
    say(`  the slowest took ${slowest.toFixed(1)} ms`)
  },

  codec() {
    const runs = String(number('runs'))
    const args = ['exec', 'vitest', 'run', '--project', 'unit', '--testTimeout', '3600000']
    const { status } = spawnSync(
      'npx',
      ['-y', 'pnpm@10.34.9', ...args, 'packages/core/session/tests/codec.property.test.ts'],
      {
        cwd: root,
        env: { ...process.env, FC_RUNS: runs, FC_SEED: String(seed) },
        stdio: 'inherit',
      },
    )
    if (status !== 0) throw new Error('the property tests failed, see above')
    say(`  the property tests hold, ${runs} times as long as in the gate`)
  },

  async check() {
    const size = number('gigabytes') * 1e9
    for (const layout of ['plain', 'packed']) {
      await inFolder(async (folder) => {
        const file = join(folder, 'session.jsonl')
        await writeBigLog(file, layout, size)
        const out = execFileSync(process.execPath, [HEAP_SCRIPT, file], { encoding: 'utf8' })
        const found = JSON.parse(out)
        say(
          `  ${layout}: ${(found.size / 1e9).toFixed(2)} GB, ${found.events} events: ${found.verdict} ` +
            `after ${found.seconds.toFixed(1)} s, heap growth ${(found.growth / 2 ** 20).toFixed(0)} MB`,
        )
        if (found.verdict !== 'sound') throw new Error(`a sound log was called ${found.verdict}`)
        if (found.growth > HEAP_LIMIT) throw new Error('the heap grew by more than 200 MB')
      })
    }
  },
}

async function inFolder(run) {
  const folder = mkdtempSync(join(tmpdir(), 'dsh-stress-'))
  try {
    return await run(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const names = positionals.length > 0 ? positionals : Object.keys(stresses)
const unknown = names.filter((name) => !Object.hasOwn(stresses, name))
if (unknown.length > 0) {
  process.stderr.write(
    `no stress called ${unknown.join(', ')}; there are ${Object.keys(stresses).join(', ')}\n`,
  )
  process.exit(2)
}
say(`seed ${seed}`)
for (const name of names) {
  say(name)
  try {
    await stresses[name]()
  } catch (error) {
    process.exitCode = 1
    say(`  FAILED: ${error.stack}`)
  }
}
