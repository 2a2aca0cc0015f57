import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { loadScenario, recordScenario } from 'dsh-acp-snapshot'
import { afterEach, beforeEach } from 'vitest'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
export const AGENT = here('../bin.js')
export const CLI = here('../../../packages/support/acp-snapshot/bin.js')
export const COMMITTED = here('snapshots')
export const AGENT_FLAG = JSON.stringify([process.execPath, AGENT])
const run = promisify(execFile)

let temp: string
beforeEach(async () => {
  temp = await mkdtemp(join(tmpdir(), 'dsh-record-'))
})
// What a killed recording had started ends by itself, and may still be about to.
afterEach(() => rm(temp, { recursive: true, force: true, maxRetries: 10 }))

/** A folder of the test's own. */
export function tempDir(): string {
  return temp
}

/** Every file below a folder, by path. */
export async function tree(dir: string): Promise<Map<string, string>> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => !entry.isDirectory())
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).sort()
  const texts = await Promise.all(paths.map((path) => readFile(path, 'utf8')))
  return new Map(paths.map((path, index) => [relative(dir, path), texts[index] as string]))
}

export async function wireScenarios(): Promise<string[]> {
  const names = (await readdir(COMMITTED)).sort()
  const sources = await Promise.all(
    names.map(async (name) => (await loadScenario(join(COMMITTED, name))).input.source),
  )
  return names.filter((_, index) => sources[index] === 'wire')
}

/** Runs the command line, with nothing in the environment but what is given. */
export async function cli(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd = temp,
) {
  try {
    const all = { PATH: process.env['PATH'], ...env }
    const flags = [...args, '--agent', AGENT_FLAG]
    const { stdout } = await run(process.execPath, [CLI, ...flags], { cwd, env: all })
    return { code: 0, stdout }
  } catch (error) {
    const { code, stdout } = error as { code: number; stdout: string }
    return { code, stdout }
  }
}

/** A folder with one scenario, made from the given texts. */
export async function scenario(
  files: Readonly<Record<string, string>>,
  name = 'one',
): Promise<string> {
  const dir = join(temp, 'scenarios', name)
  await mkdir(dir, { recursive: true })
  for (const [file, text] of Object.entries(files)) await writeFile(join(dir, file), text)
  return dir
}

export const PROMPT = 'Run it.'
export const input = (more: object = {}) =>
  JSON.stringify({
    source: 'wire',
    steps: [{ op: 'initialize' }, { op: 'newSession' }, { op: 'prompt', text: PROMPT }],
    ...more,
  })
export const wire = (...answers: object[]) =>
  JSON.stringify({
    rules: answers.map((answer, index) => ({ when: { step: index + 1 }, answer })),
  })
export const bash = (command: string) => ({
  toolCalls: [{ name: 'bash', arguments: { command, description: 'Do it' } }],
})
export const record = async (dir: string, env: Readonly<Record<string, string>> = {}) => {
  const agent = { command: [process.execPath, AGENT] } as const
  const all = { PATH: process.env['PATH'], ...env }
  const options = { agent, env: all, keepFailed: false }
  return recordScenario(await loadScenario(dir, { purpose: 'record' }), options)
}

/** Files as `tree` gives them. */
export function sorted(files: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1))
}
