import { execFile } from 'node:child_process'
import { mkdir, realpath, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { filesOf } from './tarball.mjs'

const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))

/**
 * What the compiler says to somebody who uses every entry of some packages and has nothing skipped:
 * each package is installed by itself, with what it asks for and nothing else in reach.
 *
 * @param {string} dir an empty folder
 * @param {ReadonlyMap<string, Uint8Array>} tarballs by the name of the package
 * @param {(name: string, owner: string | undefined) => string} library where a library is that a
 *   package, or whoever uses them, asks for and that is none of these
 * @returns {Promise<string[]>} a line for each mistake
 */
export async function consumerProblems(dir, tarballs, library) {
  const app = join(dir, 'app/node_modules')
  const entries = []
  for (const [name, data] of tarballs) {
    const modules = join(dir, 'installed', name, 'node_modules')
    const files = filesOf(data)
    for (const [path, text] of files) {
      await mkdir(dirname(join(modules, name, path)), { recursive: true })
      await writeFile(join(modules, name, path), text)
    }
    const { dependencies = {}, exports = {} } = JSON.parse(files.get('package.json'))
    for (const needed of Object.keys(dependencies)) {
      const ours = join(dir, 'installed', needed, 'node_modules', needed)
      await link(
        tarballs.has(needed) ? ours : await realpath(library(needed, name)),
        modules,
        needed,
      )
    }
    await link(join(modules, name), app, name)
    for (const [entry, { types }] of Object.entries(exports)) {
      if (types !== undefined) entries.push(`${name}${entry.slice(1)}`)
    }
  }
  await link(await realpath(library('@types/node')), app, '@types/node')
  return compile(dirname(app), entries)
}

async function compile(app, entries) {
  const lines = entries.map((entry, at) => `import * as _${at} from '${entry}'`)
  const names = entries.map((_, at) => `_${at}`)
  const text = `${lines.join('\n')}\nexport const all: object[] = [${names.join(', ')}]\n`
  await writeFile(join(app, 'index.ts'), text)
  await writeFile(join(app, 'package.json'), '{"type":"module"}')
  const compilerOptions = {
    noEmit: true,
    strict: true,
    skipLibCheck: false,
    exactOptionalPropertyTypes: true,
    target: 'es2023',
    module: 'nodenext',
    types: ['node'],
  }
  await writeFile(
    join(app, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['index.ts'] }),
  )
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [tsc, '--pretty', 'false'],
      { cwd: app, timeout: 120_000 },
      (error, stdout, stderr) => {
        const said = `${stdout}${stderr}`.trim()
        resolve(error === null ? [] : (said || error.message).split('\n'))
      },
    )
  })
}

async function link(target, modules, name) {
  await mkdir(dirname(join(modules, name)), { recursive: true })
  await symlink(target, join(modules, name), 'dir')
}
