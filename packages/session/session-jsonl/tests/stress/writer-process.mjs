import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export const WRITER = fileURLToPath(new URL('../child/writer.mjs', import.meta.url))

/**
 * @typedef {{ id?: string, durable?: number, code?: string, message?: string, cause?: string }} Said
 * @typedef {{ said: Said[], signal: string | null }} Run
 * @typedef {object} Wanted
 * @property {string} [session] to go on with; a new one if absent
 * @property {number} turns
 * @property {number} [dieAt] dies by itself at the nth call to the file system
 * @property {number} [killAfter] is killed from outside after saying so many things
 * @property {'plain' | 'packed'} [layout] default plain
 */

/**
 * Runs a process that writes turns to a log and says what is durable.
 *
 * @param {string} root
 * @param {Wanted} wanted
 * @returns {Promise<Run>}
 */
export function write(root, { session = '', turns, dieAt = 0, killAfter, layout = 'plain' }) {
  const args = [WRITER, root, session, turns, dieAt, layout].map(String)
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  /** @type {Said[]} */
  const said = []
  createInterface({ input: child.stdout }).on('line', (line) => {
    said.push(JSON.parse(line))
    if (said.length === killAfter) child.kill('SIGKILL')
  })
  return new Promise((resolve) => {
    child.on('close', (_, signal) => resolve({ said, signal }))
  })
}
