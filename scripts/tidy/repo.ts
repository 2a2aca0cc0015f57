import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The tracked text files of a checkout, by path relative to its root. */
export type Files = ReadonlyMap<string, string>

/** Reads what git tracks and the working tree still has; files with NUL bytes are left out. */
export function trackedFiles(root: string): Files {
  const paths = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
  const files = new Map<string, string>()
  for (const path of paths.split('\0')) {
    if (path === '' || !existsSync(join(root, path))) continue
    const text = readFileSync(join(root, path), 'utf8')
    if (!text.includes('\0')) files.set(path, text)
  }
  return files
}

/** The folders `packages/<group>/<folder>` that hold a package.json. */
export function packageDirs(files: Files): string[] {
  return [...files.keys()].flatMap((path) => {
    const dir = /^(packages\/[^/]+\/[^/]+)\/package\.json$/.exec(path)?.[1]
    return dir === undefined ? [] : [dir]
  })
}

/** The fields of a package.json that the rules look at. */
export interface Manifest {
  readonly name?: string
  readonly type?: string
  readonly license?: string
  readonly bin?: string | Readonly<Record<string, string>>
  readonly engines?: Readonly<Record<string, string>>
  readonly files?: readonly string[]
  readonly exports?: Readonly<Record<string, unknown>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

/** The manifest in a folder of the checkout; '' is its root. */
export function manifest(files: Files, dir: string): Manifest {
  return JSON.parse(
    files.get(dir === '' ? 'package.json' : `${dir}/package.json`) ?? '{}',
  ) as Manifest
}

/** The text without comments; good enough for searching, not for parsing. */
export function withoutComments(code: string): string {
  return code.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1')
}

/** The modules that a file names in import and export declarations and in `import()`. */
export function importsOf(code: string): string[] {
  const found = withoutComments(code).matchAll(
    /(?:\bfrom\s*|\bimport\s*\(\s*|^\s*import\s*)['"]([^'"]+)['"]/gm,
  )
  return [...found].flatMap((match) => match[1] ?? [])
}
