import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const CANCELS = new Set(['promptAndCancel', 'cancel'])
const LOG = /^session(?:\.\d+)?\.jsonl$/

/**
 * Whether the outcome of a scenario could depend on timing: one that cancels, or has several sessions.
 *
 * @param {{ steps: readonly { op: string }[] }} input
 * @param {readonly string[]} files of its folder
 */
export function isDelicate({ steps }, files) {
  const logs = files.filter((file) => LOG.test(file))
  return logs.length > 1 || steps.some(({ op }) => CANCELS.has(op))
}

/**
 * The scenarios below a folder, by what they are: those that join later are found by themselves.
 *
 * @param {string} dir
 * @returns {{ all: string[], delicate: string[] }} names in order
 */
export function scenariosIn(dir) {
  const all = readdirSync(dir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
  const delicate = all.filter((name) =>
    isDelicate(
      JSON.parse(readFileSync(join(dir, name, 'input.json'), 'utf8')),
      readdirSync(join(dir, name)),
    ),
  )
  return { all, delicate }
}
