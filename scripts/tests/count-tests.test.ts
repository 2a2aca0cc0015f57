import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { countTests, summary } from '../count-tests.mjs'

const file = (name: string, ...tests: [string, string][]) => ({
  name,
  status: tests.some(([, status]) => status === 'failed') ? 'failed' : 'passed',
  message: '',
  assertionResults: tests.map(([fullName, status]) => ({ fullName, status })),
})

const report = (...testResults: ReturnType<typeof file>[]) => ({ testResults })

describe('countTests', () => {
  test('adds up the files of all reports', () => {
    const count = countTests([
      report(file('a.test.ts', ['one', 'passed'], ['two', 'failed'], ['three', 'skipped'])),
      report(file('b.test.ts', ['four', 'passed'], ['five', 'todo'], ['six', 'pending'])),
    ])
    expect(count).toEqual({ passed: 2, failed: 1, skipped: 3, failures: ['a.test.ts: two'] })
  })

  test('a file that did not load is a failure; one with failed tests is not counted twice', () => {
    const broken = { ...file('a.test.ts'), status: 'failed', message: 'cannot parse\nat x' }
    expect(countTests([report(broken)])).toMatchObject({
      failed: 1,
      failures: ['a.test.ts: cannot parse'],
    })
    expect(countTests([report({ ...broken, message: '' })]).failures).toEqual([
      'a.test.ts: did not run',
    ])
    expect(countTests([report(file('b.test.ts', ['x', 'failed']))]).failed).toBe(1)
  })

  test('an unknown status is a failure', () => {
    expect(countTests([report(file('a.test.ts', ['x', 'strange']))]).failed).toBe(1)
  })

  test('failed gates are failures, and so is nothing at all', () => {
    const passed = report(file('a.test.ts', ['one', 'passed']))
    expect(countTests([passed], { failedGates: ['lint', 'format'] })).toEqual({
      passed: 1,
      failed: 2,
      skipped: 0,
      failures: ['lint', 'format'],
    })
    expect(countTests([])).toMatchObject({ failed: 1, failures: ['no test ran'] })
    const skipped = report(file('a.test.ts', ['one', 'skipped']))
    expect(countTests([skipped]).failures).toEqual(['no test ran'])
  })

  test('a test command that failed counts only where no test explains it', () => {
    const passed = report(file('a.test.ts', ['one', 'passed']))
    const failed = report(file('b.test.ts', ['two', 'failed']))
    expect(countTests([passed], { testsFailed: true })).toMatchObject({
      failed: 1,
      failures: ['the tests passed, but their command failed'],
    })
    expect(countTests([passed, failed], { testsFailed: true }).failed).toBe(1)
    expect(countTests([failed], { testsFailed: true, failedGates: ['lint'] }).failed).toBe(2)
  })

  test('with a corpus, a skipped conformance test is a failure', () => {
    const reports = [
      report(
        file('a.test.ts', ['one', 'passed'], ['other', 'skipped']),
        file('conformance.test.ts', ['recordings', 'skipped']),
        file('c.test.ts', ['Conformance of all', 'skipped']),
      ),
    ]
    expect(countTests(reports)).toMatchObject({ failed: 0, skipped: 3 })
    expect(countTests(reports, { corpus: true })).toEqual({
      passed: 1,
      failed: 2,
      skipped: 1,
      failures: [
        'conformance.test.ts: recordings was skipped although there is a corpus',
        'c.test.ts: Conformance of all was skipped although there is a corpus',
      ],
    })
  })
})

test('summary', () => {
  expect(summary({ passed: 3, failed: 0, skipped: 0, failures: [] })).toBe('3 passed, 0 failed')
  expect(summary({ passed: 0, failed: 2, skipped: 1, failures: [] })).toBe(
    '0 passed, 2 failed, 1 skipped',
  )
})

describe('the command', () => {
  const script = fileURLToPath(new URL('../count-tests.mjs', import.meta.url))
  const folder = (files: Record<string, unknown>): string => {
    const dir = mkdtempSync(join(tmpdir(), 'dsh-count-'))
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
    for (const [name, value] of Object.entries(files)) {
      writeFileSync(join(dir, name), typeof value === 'string' ? value : JSON.stringify(value))
    }
    return dir
  }
  const run = (dir: string, more: string[] = [], env: Record<string, string> = {}) => {
    const { status, stdout } = spawnSync(process.execPath, [script, dir, ...more], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, ...env },
    })
    return { status, lines: stdout.trimEnd().split('\n') }
  }
  const passed = report(file('a.test.ts', ['one', 'passed']))
  const skipped = report(file('conformance.test.ts', ['recordings', 'skipped']))

  test('ends in one line and exits 0 when nothing failed', () => {
    const dir = folder({ 'a.json': passed, 'b.json': passed, 'c.txt': 'not a report' })
    expect(run(dir)).toEqual({ status: 0, lines: ['2 passed, 0 failed'] })
  })

  test('names failures and exits 1', () => {
    const { status, lines } = run(folder({ 'a.json': passed, 'b.json': '{"testRes' }), ['lint'])
    expect(status).toBe(1)
    expect(lines).toContain('  unreadable report b.json')
    expect(lines).toContain('  lint')
    expect(lines.at(-1)).toBe('1 passed, 2 failed')
  })

  test('is told that the test command failed', () => {
    const dir = folder({ 'a.json': passed })
    expect(run(dir, ['--tests-failed']).lines.at(-1)).toBe('1 passed, 1 failed')
    expect(run(dir, ['--tests-failed', 'lint']).lines.at(-1)).toBe('1 passed, 2 failed')
  })

  test('a folder that is not there is a failure', () => {
    expect(run(join(folder({}), 'nothing'))).toMatchObject({ status: 1 })
  })

  test('asks the environment whether there is a corpus', () => {
    const dir = folder({ 'a.json': passed, 'b.json': skipped })
    expect(run(dir, [], { DSH_CORPUS_DIR: '' })).toMatchObject({ status: 0 })
    expect(run(dir, [], { DSH_CORPUS_DIR: join(dir, 'gone') })).toMatchObject({ status: 0 })
    expect(run(dir, [], { DSH_CORPUS_DIR: dir })).toMatchObject({ status: 1 })
  })
})
