// Mutation testing, outside the gate: does a test fail when the code is changed?
//
// Usage: pnpm mutate [GLOB …] [--OPTION VALUE …]
//
// Globs of sources to mutate (default: the list in stryker.config.json); options go to Stryker, for
// instance `--concurrency 2`. Everything runs in a throwaway copy of the checkout, since Stryker changes
// files in place there: in its own sandbox the packages' node_modules point back to the originals, and
// no mutant would ever run. The reports are left in reports/mutation.

import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describeReport, mutantsOf } from './lib/mutation-report.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const REPORTS = join('reports', 'mutation')
const PNPM = ['-y', 'pnpm@10.34.9']

const args = process.argv.slice(2)
const firstOption = args.findIndex((arg) => arg.startsWith('--'))
const globs = firstOption === -1 ? args : args.slice(0, firstOption)
const options = firstOption === -1 ? [] : args.slice(firstOption)

/** What git tracks, and what is new and not ignored: the checkout as it is now. */
function copyCheckout(to) {
  const list = ['ls-files', '--cached', '--others', '--exclude-standard', '-z']
  const paths = execFileSync('git', list, { cwd: root, encoding: 'utf8' }).split('\0')
  for (const path of paths) {
    if (path !== '' && existsSync(join(root, path))) cpSync(join(root, path), join(to, path))
  }
}

function install(cwd) {
  const common = ['install', '--frozen-lockfile', '--reporter=silent']
  const offline = spawnSync('npx', [...PNPM, ...common, '--offline'], { cwd, stdio: 'ignore' })
  if (offline.status === 0) return
  // Not everything is in the store.
  execFileSync('npx', [...PNPM, ...common], { cwd, stdio: ['ignore', 'inherit', 'inherit'] })
}

/** The unit tests of the packages that hold the mutated sources. */
function testsOf(mutated) {
  const dirs = mutated.flatMap((glob) => /^packages\/[^/]+\/[^/]+/.exec(glob)?.[0] ?? [])
  if (dirs.length === 0) throw new Error(`nothing to mutate below packages/: ${mutated.join(' ')}`)
  return [...new Set(dirs)].map((dir) => `${dir}/tests/**/*.test.ts`).join(',')
}

const config = JSON.parse(readFileSync(join(root, 'stryker.config.json'), 'utf8'))
const mutated = globs.length > 0 ? globs : config.mutate
const env = { ...process.env, DSH_MUTATE_TESTS: testsOf(mutated) }
const work = mkdtempSync(join(tmpdir(), 'dsh-mutate-'))
try {
  copyCheckout(work)
  install(work)
  // On a command line a comma ends a glob, also within braces.
  writeFileSync(join(work, 'stryker.config.json'), JSON.stringify({ ...config, mutate: mutated }))
  const { status } = spawnSync(
    join('node_modules', '.bin', 'stryker'),
    ['run', 'stryker.config.json', ...options],
    { cwd: work, env, stdio: ['ignore', 'inherit', 'inherit'] },
  )
  const report = join(work, REPORTS, 'mutation.json')
  if (existsSync(report)) {
    rmSync(join(root, REPORTS), { recursive: true, force: true })
    cpSync(join(work, REPORTS), join(root, REPORTS), { recursive: true })
    const outcome = JSON.parse(readFileSync(report, 'utf8'))
    console.log(describeReport(outcome).join('\n'))
    process.exitCode = status === 0 && mutantsOf(outcome) > 0 ? 0 : 1
  } else {
    console.error('Stryker left no report; its messages are above.')
    process.exitCode = 1
  }
} finally {
  rmSync(work, { recursive: true, force: true })
}
