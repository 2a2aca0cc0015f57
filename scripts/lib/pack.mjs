import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)

/**
 * Packs every publishable package as it would be published, versions of one another filled in.
 * Needs a build, and npx for pnpm.
 * @returns name to the absolute path of the tarball
 */
export async function packAll(to) {
  const pnpm = ['-y', 'pnpm@10.34.9', '-r', '--filter', './packages/**', 'pack']
  await run('npx', [...pnpm, '--pack-destination', to], { cwd: root, maxBuffer: 64 * 1024 * 1024 })
  const tarballs = (await readdir(to)).filter((name) => name.endsWith('.tgz')).sort()
  return new Map(tarballs.map((name) => [name.replace(/-\d+\.\d+\.\d+\.tgz$/, ''), join(to, name)]))
}

/** The folder of each publishable package, below the root, by its name; sorted. */
export async function packageFolders() {
  const folders = []
  for (const group of await readdir(join(root, 'packages'))) {
    for (const name of await readdir(join(root, 'packages', group))) {
      const dir = join('packages', group, name)
      const manifest = JSON.parse(await readFile(join(root, dir, 'package.json'), 'utf8'))
      if (manifest.private !== true) folders.push([manifest.name, dir])
    }
  }
  return new Map(folders.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** The names of all publishable packages. */
export async function packageNames() {
  return [...(await packageFolders()).keys()]
}
