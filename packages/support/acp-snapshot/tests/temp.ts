import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder with these files (text by path; a path that ends in `/` is a folder), for one test. */
export function tempTree(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'dsh-snapshot-test-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const [path, text] of Object.entries(files)) {
    const file = join(root, path)
    mkdirSync(path.endsWith('/') ? file : dirname(file), { recursive: true })
    if (!path.endsWith('/')) writeFileSync(file, text)
  }
  return root
}

/** JSON Lines of values. */
export function jsonl(...values: unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('')
}

export function header(id: string, more: Readonly<Record<string, unknown>> = {}): unknown {
  return { type: 'session', version: 0, id, createdAt: 0, ...more }
}
