import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const SCENARIOS = fileURLToPath(new URL('snapshots', import.meta.url))
const AGENT = fileURLToPath(new URL('red/bin.js', import.meta.url))
const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const CLI = join(ROOT, 'packages/support/acp-snapshot/bin.js')

export interface Screen {
  readonly code: number
  /** What a person sees, without what differs from run to run. */
  readonly text: string
  /** The same, as it was printed. */
  readonly raw: string
}

export interface Asked {
  readonly mode?: 'replay' | 'refresh' | 'record'
  readonly flags?: readonly string[]
  /** The folder of the scenarios. */
  readonly dir?: string
  /** Where runs are made; by default a folder that is gone afterwards. */
  readonly temp?: string
}

/** Runs scenarios with the agent changed in one way, as `pnpm run test:snapshot` would, in a temp folder. */
export async function screenOf(
  change: string,
  names: readonly string[],
  { mode = 'replay', flags = [], dir = SCENARIOS, ...asked }: Asked = {},
): Promise<Screen> {
  const own = await mkdtemp(join(tmpdir(), 'dsh-red-'))
  const temp = asked.temp ?? own
  try {
    const agent = JSON.stringify([process.execPath, AGENT, change])
    const args = [CLI, mode, ...names, ...flags, '--dir', dir, '--agent', agent, '--workers', '1']
    const env = {
      PATH: process.env['PATH'],
      TMPDIR: temp,
      npm_lifecycle_event: mode === 'replay' ? 'test:snapshot' : `test:snapshot:${mode}`,
      npm_package_json: join(ROOT, 'package.json'),
      npm_config_user_agent: 'pnpm/10.34.9',
    }
    const { code, out } = await new Promise<{ code: number; out: string }>((resolve) => {
      const child = execFile(process.execPath, args, { env }, (_error, stdout, stderr) => {
        resolve({ code: child.exitCode ?? -1, out: stdout + stderr })
      })
    })
    return { code, raw: out, text: stable(out, temp) }
  } finally {
    await rm(own, { recursive: true, force: true })
  }
}

/** What differs from run to run, and from machine to machine, by name. */
function stable(text: string, temp: string): string {
  return (
    text
      .trimEnd()
      .replaceAll(ROOT, '<repo>/')
      .replaceAll(temp, '<tmp>')
      .replaceAll(/dsh-(snapshot|proof)-\w{6}/g, 'dsh-$1-*')
      .replaceAll(/\d+ ms(?= while|,|$)/gm, '* ms')
      .replaceAll(/took \d+ ns/g, 'took * ns')
      // How much of a path fits into a row depends on where the checkout lies.
      .replaceAll(/\(?file:\/\/.*(\n {12}\S.*)*$/gm, 'file:*')
  )
}

/** A folder with a copy of a scenario whose `input.json` is another. The caller removes it. */
export async function scenarioWith(
  name: string,
  change: (input: string) => string = (input) => input,
): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'dsh-red-scenario-'))
  await cp(join(SCENARIOS, name), join(dir, name), { recursive: true })
  const file = join(dir, name, 'input.json')
  await writeFile(file, change(await readFile(file, 'utf8')))
  return dir
}
