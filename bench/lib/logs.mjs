import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bigLog } from '../../packages/session/session-jsonl/tests/stress/big-log.mjs'

/** Texts of the recorded plain logs that `DSH_CORPUS_DIR` holds, by path; none where it is unset. */
export function corpusLogs() {
  const root = process.env.DSH_CORPUS_DIR ?? ''
  if (root === '' || !existsSync(join(root, 'dsh-2026-07'))) return []
  return readdirSync(join(root, 'dsh-2026-07'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.jsonl'))
    .sort()
    .map((file) => readFileSync(join(root, 'dsh-2026-07', file), 'utf8'))
}

/** The text of a plain log as a coding agent writes it. */
export function generatedLog(bytes) {
  return [...bigLog('plain', bytes)].join('')
}
