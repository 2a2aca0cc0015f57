// Adds up the JSON reports that Vitest left in a folder, and decides what `.ci/run` prints last.
//
// Usage: node scripts/count-tests.mjs REPORT_DIR [--tests-failed] [FAILED_GATE …]
//
// `--tests-failed` says that the command that ran the tests failed.

import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * @typedef {{ fullName: string, status: string }} Test one assertion result of a report
 * @typedef {{ name: string, status: string, message?: string, assertionResults: Test[] }} File
 * @typedef {{ testResults: File[] }} Report
 * @typedef {{ passed: number, failed: number, skipped: number, failures: string[] }} Count
 */

const SKIPPED = new Set(['skipped', 'pending', 'todo', 'disabled'])

/** @param {string} file @param {string} name */
const isConformance = (file, name) => /conformance/i.test(file) || /conformance/i.test(name)

/**
 * Counts the tests of all reports. A file that failed without a failed test (it did not load, or a hook
 * threw) is one failure; so is each failed gate, and a test command that failed without any failed test
 * (the build, a coverage threshold). With `corpus`, a skipped conformance test is a failure: there was something to run it on.
 *
 * @param {readonly Report[]} reports
 * @param {{ corpus?: boolean, testsFailed?: boolean,
 *   failedGates?: readonly string[] }} [options]
 * @returns {Count}
 */
export function countTests(
  reports,
  { corpus = false, testsFailed = false, failedGates = [] } = {},
) {
  /** @type {Count} */
  const count = { passed: 0, failed: 0, skipped: 0, failures: [] }
  /** @param {string} text */
  const fail = (text) => {
    count.failed += 1
    count.failures.push(text)
  }
  for (const file of reports.flatMap((report) => report.testResults)) {
    let failedHere = 0
    for (const { fullName, status } of file.assertionResults) {
      if (status === 'passed') count.passed += 1
      else if (!SKIPPED.has(status)) {
        failedHere += 1
        fail(`${file.name}: ${fullName}`)
      } else if (corpus && isConformance(file.name, fullName)) {
        fail(`${file.name}: ${fullName} was skipped although there is a corpus`)
      } else count.skipped += 1
    }
    if (file.status === 'failed' && failedHere === 0) {
      fail(`${file.name}: ${(file.message ?? '').split('\n')[0] || 'did not run'}`)
    }
  }
  if (testsFailed && count.failed === 0) fail('the tests passed, but their command failed')
  for (const gate of failedGates) fail(gate)
  // No tests at all is no success.
  if (count.passed === 0 && count.failed === 0) fail('no test ran')
  return count
}

/**
 * @param {Count} count
 * @returns {string} `N passed, N failed`, with `, N skipped` where there are any
 */
export function summary({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

/**
 * Reads the reports of a folder; a report that cannot be read is named in `broken`.
 *
 * @param {string} dir
 * @returns {{ reports: Report[], broken: string[] }}
 */
export function readReports(dir) {
  const names = existsSync(dir) ? readdirSync(dir).filter((name) => name.endsWith('.json')) : []
  /** @type {Report[]} */
  const reports = []
  /** @type {string[]} */
  const broken = []
  for (const name of names.sort()) {
    try {
      reports.push(JSON.parse(readFileSync(join(dir, name), 'utf8')))
    } catch {
      // A runner that was killed leaves half a report.
      broken.push(`unreadable report ${name}`)
    }
  }
  return { reports, broken }
}

function main() {
  const [dir = '', ...rest] = process.argv.slice(2)
  const gates = rest.filter((arg) => arg !== '--tests-failed')
  const { reports, broken } = readReports(dir)
  const corpusDir = process.env.DSH_CORPUS_DIR ?? ''
  const corpus = corpusDir !== '' && existsSync(corpusDir)
  const count = countTests(reports, {
    corpus,
    testsFailed: gates.length < rest.length,
    failedGates: [...broken, ...gates],
  })
  if (count.failures.length > 0) console.log(`\nFailed:\n  ${count.failures.join('\n  ')}\n`)
  console.log(summary(count))
  process.exitCode = count.failed > 0 ? 1 : 0
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) main()
