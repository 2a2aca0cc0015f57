import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { packAll, packageNames } from '../../../scripts/lib/pack.mjs'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const PNPM = 'pnpm@10.34.9'

/** One thing that the README has its reader do. */
type Step =
  | { readonly kind: 'file'; readonly path: string; readonly text: string }
  | { readonly kind: 'run'; readonly command: string; readonly red: boolean }
  | { readonly kind: 'install'; readonly command: string }

/** The fenced blocks of the section: a file where a line in front ends in its name, else commands. */
function stepsOf(readme: string): Step[] {
  const [, section = ''] = readme.split('\n## In your project\n')
  const [own = ''] = section.split('\n## ')
  const blocks = own.matchAll(/(?:^|\n)([^\n]*)\n\n```(\w+)( install)?\n([^]*?)\n```\n/g)
  return [...blocks].flatMap(([, before = '', language, install, text = '']): Step[] => {
    const path = /`([^`]+)`:$/.exec(before)?.[1]
    if (path !== undefined) return [{ kind: 'file', path, text: `${text}\n` }]
    expect(language).toBe('sh')
    return text.split('\n').map((line): Step => {
      const [command = '', remark = ''] = line.split(/ {2,}# /)
      if (install !== undefined) return { kind: 'install', command }
      return { kind: 'run', command, red: remark === 'red' }
    })
  })
}

/** An empty folder of somebody's, far from this checkout. */
function emptyFolder(): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'dsh-outside-')))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true, maxRetries: 10 }))
  return dir
}

async function shell(command: string, cwd: string, env: Readonly<Record<string, string>> = {}) {
  const all = { PATH: process.env['PATH'], HOME: process.env['HOME'], NO_COLOR: '1', ...env }
  const child = execFile('sh', ['-c', command], { cwd, env: all, maxBuffer: 64 * 1024 * 1024 })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (text) => {
      said += String(text)
    })
  }
  const [code] = (await once(child, 'close')) as [number]
  return { code, said }
}

/**
 * Installs the tarballs as a package manager does. Libraries that are not ours are those of this
 * checkout: the gate asks no registry, and installs none twice.
 */
async function install(dir: string): Promise<void> {
  const packed = join(dir, 'packed')
  await mkdir(packed)
  const tarballs = await packAll(packed)
  expect([...tarballs.keys()].sort()).toEqual(await packageNames())
  const ours = [...tarballs].map(([name, path]) => [name, `file:${path}`])
  const project = join(dir, 'project')
  const manifest = {
    name: 'outside',
    version: '1.0.0',
    private: true,
    type: 'module',
    dependencies: { ...Object.fromEntries(ours), vitest: linkTo('vitest') },
    pnpm: { overrides: Object.fromEntries([...ours, ...(await libraries())]) },
  }
  await mkdir(project)
  await writeFile(join(project, 'package.json'), JSON.stringify(manifest, null, 2))
  const { code, said } = await shell(
    `npx -y ${PNPM} install --offline --ignore-workspace --config.auto-install-peers=false`,
    project,
  )
  expect([code, said]).toEqual([0, expect.any(String)])
}

/** Where this checkout has the libraries that its packages ask for. */
async function libraries(): Promise<[string, string][]> {
  const found = new Map<string, string>()
  for (const group of await readdir(join(root, 'packages'))) {
    for (const name of await readdir(join(root, 'packages', group))) {
      const at = join('packages', group, name)
      const manifest = readFileSync(join(root, at, 'package.json'), 'utf8')
      const { dependencies = {} } = JSON.parse(manifest) as {
        readonly dependencies?: Readonly<Record<string, string>>
      }
      for (const library of Object.keys(dependencies)) {
        if (!library.startsWith('dsh-')) found.set(library, linkTo(library, at))
      }
    }
  }
  return [...found]
}

function linkTo(name: string, at = '.'): string {
  return `link:${realpathSync(join(root, at, 'node_modules', name))}`
}

it("the README's steps, in a project outside: record, green, red, refresh, green, one more", {
  timeout: 300_000,
}, async () => {
  const dir = emptyFolder()
  const project = join(dir, 'project')
  const temp = join(dir, 'temp')
  await mkdir(temp)
  const steps = stepsOf(readFileSync(join(root, 'README.md'), 'utf8'))
  const done: string[] = []
  for (const step of steps) {
    if (step.kind === 'install') {
      if (!existsSync(project)) await install(dir)
    } else if (step.kind === 'file') {
      await mkdir(dirname(join(project, step.path)), { recursive: true })
      await writeFile(join(project, step.path), step.text)
    } else {
      const { command, red } = step
      const { code, said } = await shell(command, project, { TMPDIR: temp })
      expect({ command, code, said }).toEqual({ command, code: red ? 1 : 0, said })
      if (red) {
        expect(said).toContain('header-differs')
        expect(said).toContain('delegate every text')
        expect(said).toContain('npx dsh-acp-snapshot refresh hello')
      }
      done.push(`${command.split(' ').slice(0, 3).join(' ')}${red ? ' (red)' : ''}`)
    }
  }
  expect(done).toEqual([
    'npx dsh-acp-snapshot init',
    'npx dsh-acp-snapshot record',
    'npx vitest run',
    'sed -i.bak "s/delegate',
    'npx vitest run (red)',
    'npx dsh-acp-snapshot refresh',
    'npx vitest run',
    'npx dsh-acp-snapshot record',
    'npx vitest run',
  ])
  const scenario = join(project, 'tests/snapshots/delegates')
  expect((await readdir(scenario)).sort()).toEqual([
    'input.json',
    'session.1.jsonl',
    'session.jsonl',
    'stdout.expected.jsonl',
    'wire.json',
  ])
  // The agent's own tool, in the hands of the sub-agent.
  expect(readFileSync(join(scenario, 'session.1.jsonl'), 'utf8')).toContain('"text":"6 words"')
  const pinned = join(project, 'tests/snapshots/hello/system.expected.txt')
  expect(readFileSync(pinned, 'utf8')).toContain('delegate every text')
})
