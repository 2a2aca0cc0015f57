import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Gives a run of the tests a temp folder of its own, and takes it away: reds keep the folders of
 * their runs, which is what people want and what a gate would fill a disk with.
 */
export default function ownTemp(): () => void {
  const before = process.env['TMPDIR']
  const dir = mkdtempSync(join(tmpdir(), 'dsh-test-'))
  process.env['TMPDIR'] = dir
  return () => {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
    rmSync(dir, { recursive: true, force: true, maxRetries: 10 })
  }
}
