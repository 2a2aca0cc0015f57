import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'

const DEMO = fileURLToPath(new URL('../demo.js', import.meta.url))

it('the demo shows a green, a nested green with a line per lane, and a red, and leaves nothing', async () => {
  const temp = mkdtempSync(join(tmpdir(), 'dsh-demo-test-'))
  onTestFinished(() => rmSync(temp, { recursive: true, force: true }))
  const env = { PATH: process.env['PATH'], TMPDIR: temp }
  // Rejects for any exit code but 0.
  const { stdout } = await promisify(execFile)(process.execPath, [DEMO], { env })
  const after = (mark: string) => stdout.slice(stdout.indexOf(mark))
  expect(stdout).toMatch(/✓ fs-edit: 1 lane, /)
  const nested = after('1. Record "subagent-multi"')
  expect(nested).toMatch(/lane 0 session\.jsonl, root 0: bound by \S+, 2 served, 0 left/)
  expect(nested).toMatch(
    /lane 1 session\.1\.jsonl, child 0\/1\.1\.0\.0: bound by \S+, 1 served, 0 left/,
  )
  expect(nested).toMatch(
    /lane 2 session\.2\.jsonl, child 0\/1\.1\.1\.0: bound by \S+, 1 served, 0 left/,
  )
  expect(nested).toMatch(/✓ subagent-multi: 3 lanes, 4 calls, 3 logs compared/)
  const red = after('3. Change the prompt')
  expect(red).toContain('✗ subagent-multi: log-differs')
  expect(red).toContain('user/message')
  expect(red).toContain('Be brief.')
  expect(readdirSync(temp)).toEqual([])
})
