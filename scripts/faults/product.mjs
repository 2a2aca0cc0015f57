import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { plainVerdict, plainWords } from './verdicts.mjs'

/** From being asked to end until a harness is ended. */
const TERM_MS = 3_000

/**
 * @typedef {object} Run
 * @property {string} harness the command's script
 * @property {string} agent the agent's script
 * @property {string} dir the folder of the scenarios
 * @property {readonly string[]} names
 * @property {string} home the workshop of the two scripts
 * @property {string} tempDir for everything that runs leave
 * @property {number} boundMs from one verdict to the next
 * @property {AbortSignal} signal
 */

/**
 * Runs the product's own command over scenarios, one after another, and hands over every verdict as
 * it comes, until `onVerdict` answers `'stop'`.
 *
 * @param {Run} run
 * @param {(verdict: import('./types.ts').PlainVerdict) => 'stop' | undefined} onVerdict
 * @returns {Promise<Ended>}
 */
export function replay(run, onVerdict) {
  return command(run, ['--json'], (line) =>
    line.startsWith('{') ? onVerdict(plainVerdict(line, run)) : undefined,
  )
}

/**
 * The same for people: what the command says, without what varies from run to run.
 *
 * @param {Run} run
 * @returns {Promise<string>}
 */
export async function replayWords(run) {
  let words = ''
  await command(run, [], (line) => {
    words += `${plainWords(line, run)}\n`
    return undefined
  })
  return words
}

/**
 * @typedef {{ code: number | null, stopped: boolean, timedOut: boolean, stderr: string }} Ended
 *
 * @param {Run} run
 * @param {readonly string[]} flags
 * @param {(line: string) => 'stop' | undefined} onLine
 * @returns {Promise<Ended>}
 */
async function command(run, flags, onLine) {
  const agent = JSON.stringify([process.execPath, run.agent])
  const args = ['replay', ...run.names, '--dir', run.dir, '--agent', agent, ...flags]
  const child = spawn(process.execPath, [run.harness, ...args, '--workers', '1'], {
    cwd: run.tempDir,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, TMPDIR: run.tempDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = { code: null, stopped: false, timedOut: false, stderr: '' }
  let hard
  const end = () => {
    child.kill('SIGTERM')
    hard ??= setTimeout(() => child.kill('SIGKILL'), TERM_MS)
  }
  const bound = setTimeout(() => {
    ended.timedOut = true
    end()
  }, run.boundMs)
  run.signal.addEventListener('abort', end)
  child.stderr.setEncoding('utf8').on('data', (text) => {
    ended.stderr = `${ended.stderr}${text}`.slice(-2_000)
  })
  const closed = new Promise((resolve, reject) => {
    child.on('close', resolve)
    child.on('error', reject)
  })
  for await (const line of createInterface({ input: child.stdout })) {
    bound.refresh()
    if (ended.stopped || ended.timedOut || onLine(line) !== 'stop') continue
    ended.stopped = true
    end()
  }
  ended.code = await closed
  clearTimeout(bound)
  clearTimeout(hard)
  run.signal.removeEventListener('abort', end)
  run.signal.throwIfAborted()
  return ended
}
