import { builtinModules } from 'node:module'
import { posix } from 'node:path'
import { type Files, importsOf, manifest, packageDirs, withoutComments } from './repo.ts'

/** A rule looks at a checkout and says what is wrong with it, one line a finding. */
export type Rule = (files: Files) => string[]

/** The groups of packages; dependencies point up this list only. */
const groups = ['core', 'llm', 'session', 'tool', 'subagent', 'acp', 'bundle', 'support']

const isSource = (path: string): boolean => /^packages\/[^/]+\/[^/]+\/src\/.*\.ts$/.test(path)
const isTest = (path: string): boolean => /\/tests\/.*\.[cm]?[jt]s$/.test(path)
const isCode = (path: string): boolean => /\.[cm]?[jt]s$/.test(path)
const packageOf = (path: string): string => path.split('/').slice(0, 3).join('/')

/** The package's name within an import: `a/b` of `a/b/c.js` only where `a` is a scope. */
const bareName = (name: string): string => name.split('/', name.startsWith('@') ? 2 : 1).join('/')

/** The only modules that may ask the machine for the time, a timer or a random number. */
const ambient = ['clock', 'ids', 'random'].map((file) => `packages/core/brand/src/${file}.ts`)

const ambientUse =
  /\b(Date\.now|Math\.random|randomUUID|randomBytes|getRandomValues|setTimeout|setInterval|process\.hrtime|performance\.now|node:timers)\b|\bnew Date\(\s*\)/g

export const noAmbientTime: Rule = (files) =>
  [...files].flatMap(([path, text]) => {
    if (!isSource(path) || ambient.includes(path)) return []
    const uses = new Set(withoutComments(text).match(ambientUse))
    return [...uses].map(
      (use) => `${path}: ${use}; take a Clock, an IdSource or a RandomSource instead`,
    )
  })

/** A wait for time to pass; waiting for an event or for the next turn of the loop is not one. */
const sleep = /timers\/promises|\bsetTimeout\(\s*(resolve|done|ok|r)\b/

export const noSleep: Rule = (files) =>
  [...files].flatMap(([path, text]) =>
    isTest(path) && sleep.test(withoutComments(text)) ? [`${path}: a test sleeps`] : [],
  )

export const noFocus: Rule = (files) =>
  [...files].flatMap(([path, text]) =>
    isTest(path) && /\b(test|it|describe|suite)\.only\b/.test(withoutComments(text))
      ? [`${path}: .only leaves the other tests out`]
      : [],
  )

export const maxLines: Rule = (files) =>
  [...files].flatMap(([path, text]) => {
    const lines = text.split('\n').length - 1
    return isCode(path) && lines > 400 ? [`${path}: ${lines} lines, at most 400`] : []
  })

function directionOf(from: string, wanted: string, by: Map<string, string>): string[] {
  const to = by.get(wanted)
  if (to === undefined) return []
  const [own, other] = [from, to].map((dir) => groups.indexOf(dir.split('/')[1] ?? ''))
  if (own === undefined || other === undefined || other <= own) return []
  return [`${from}: depends on ${wanted}, which is further down the map`]
}

/** Production code and its manifest agree, and depend on nothing further down the map. */
export const importDirection: Rule = (files) => {
  const dirs = packageDirs(files)
  const byName = new Map(dirs.map((dir) => [manifest(files, dir).name ?? '', dir]))
  const declared = dirs.flatMap((dir) =>
    Object.keys(manifest(files, dir).dependencies ?? {}).flatMap((name) =>
      directionOf(dir, name, byName),
    ),
  )
  const used = [...files].flatMap(([path, text]) => {
    if (!isSource(path)) return []
    const known = manifest(files, packageOf(path))
    return importsOf(text).flatMap((name) => {
      if (name.startsWith('.') || name.startsWith('node:')) return []
      if (builtinModules.includes(name)) return [`${path}: write node:${name}`]
      const bare = bareName(name)
      if (bare === known.name) return []
      const dependency = known.dependencies?.[bare] ?? known.peerDependencies?.[bare]
      if (dependency !== undefined) return []
      return [`${path}: imports ${bare}, which its package does not depend on`]
    })
  })
  return [...declared, ...used]
}

export const knownGroups: Rule = (files) =>
  packageDirs(files).flatMap((dir) =>
    groups.includes(dir.split('/')[1] ?? '') ? [] : [`${dir}: no such group on the map`],
  )

function exportProblems(dir: string, subpath: string, value: unknown, files: Files): string[] {
  const at = `${dir}: exports["${subpath}"]`
  if (subpath === './package.json') return []
  if (subpath.endsWith('.json')) {
    return files.has(`${dir}/${String(value)}`.replace('/./', '/')) ? [] : [`${at} has no file`]
  }
  if (typeof value !== 'object' || value === null) return [`${at} is not a map of conditions`]
  const conditions = value as Record<string, string>
  // Order decides, and `default` matches always.
  const order = Object.keys(conditions).join(', ')
  if (order !== 'dsh-source, types, default') {
    return [`${at} has ${order}; expected dsh-source, types, default`]
  }
  const source = /^\.\/src\/(.+)\.ts$/.exec(conditions['dsh-source'] ?? '')?.[1]
  if (source === undefined || !files.has(`${dir}/src/${source}.ts`)) {
    return [`${at} has no source file at ${conditions['dsh-source']}`]
  }
  const expected = { types: `./dist/${source}.d.ts`, default: `./dist/bundle/${source}.js` }
  return Object.entries(expected).flatMap(([key, path]) =>
    conditions[key] === path ? [] : [`${at}.${key} is ${conditions[key]}; expected ${path}`],
  )
}

/** Other people's code in one chunk: it has neither sources nor types nor an entry of its own. */
const VENDOR = 'packages/core/vendor'

function manifestProblems(files: Files, dir: string): string[] {
  const found = manifest(files, dir)
  const problems: string[] = []
  const expect = (holds: boolean, what: string): void => {
    if (!holds) problems.push(`${dir}: ${what}`)
  }
  expect(found.name === `dsh-${dir.split('/')[2]}`, `its name is ${found.name}, not its folder's`)
  expect(found.type === 'module', 'type is not module')
  expect(found.license === 'MIT', 'license is not MIT')
  expect(found.engines?.node === '>=20.19', 'engines.node is not >=20.19')
  // The packer adds the root's LICENSE to every package that lists one.
  // What the bundler makes and the types that go with it: what the compiler makes besides is its own.
  const built = dir === VENDOR ? ['dist'] : ['dist/bundle', 'dist/**/*.d.ts']
  for (const file of [...built, 'README.md', 'LICENSE']) {
    expect(found.files?.includes(file) === true, `files does not list ${file}`)
  }
  expect(found.exports?.['./package.json'] === './package.json', 'does not export ./package.json')
  // A bin inside dist is not linked on a fresh clone, where there is no dist yet.
  for (const bin of typeof found.bin === 'string' ? [found.bin] : Object.values(found.bin ?? {})) {
    const path = `${dir}/${bin.replace(/^\.\//, '')}`
    expect(files.has(path) && !isSource(path), `bin ${bin} is not a committed file outside src`)
  }
  if (dir === VENDOR) return problems
  expect(found.exports?.['.'] !== undefined, 'exports has no "."')
  const exported = Object.entries(found.exports ?? {})
  return [
    ...problems,
    ...exported.flatMap(([key, value]) => exportProblems(dir, key, value, files)),
  ]
}

export const manifests: Rule = (files) => [
  ...(files.has('LICENSE') ? [] : ['LICENSE: missing']),
  ...packageDirs(files).flatMap((dir) => manifestProblems(files, dir)),
]

/** A package that has tests is no placeholder any more, and says what it is for. */
export const readmes: Rule = (files) =>
  packageDirs(files).flatMap((dir) => {
    const hasTests = [...files.keys()].some((path) => path.startsWith(`${dir}/tests/`))
    if (!hasTests) return []
    const text = files.get(`${dir}/README.md`)
    if (text === undefined) return [`${dir}: no README.md`]
    const missing = ['Exports', 'What the model experiences', 'Known limits'].filter(
      (title) => !new RegExp(`^##+ ${title}`, 'm').test(text),
    )
    return missing.map((title) => `${dir}/README.md: no section "${title}"`)
  })

const exact = /^(workspace:\*|\d+\.\d+\.\d+(-[\w.]+)?)$/

export const pinned: Rule = (files) =>
  [...files.keys()].flatMap((path) => {
    if (!/(^|\/)package\.json$/.test(path) || path.includes('/tests/')) return []
    const own = manifest(files, path.replace(/\/?package\.json$/, ''))
    const all = { ...own.dependencies, ...own.devDependencies, ...own.optionalDependencies }
    return Object.entries(all).flatMap(([name, version]) =>
      exact.test(version) ? [] : [`${path}: ${name} is ${version}, not an exact version`],
    )
  })

interface Project {
  readonly references?: readonly { readonly path: string }[]
}

/** What the project in a folder refers to, as folders of the checkout. */
const referencesOf = (files: Files, dir: string): string[] => {
  const project = JSON.parse(files.get(posix.join(dir, 'tsconfig.json')) ?? '{}') as Project
  return (project.references ?? []).map((reference) => posix.join(dir, reference.path))
}

const difference = (a: readonly string[], b: readonly string[]): string[] =>
  a.filter((item) => !b.includes(item))

/** The build knows every package, and each knows what it is built on. */
export const references: Rule = (files) => {
  const dirs = packageDirs(files).filter((dir) => dir !== VENDOR)
  const byName = new Map(dirs.map((dir) => [manifest(files, dir).name ?? '', dir]))
  const listed = referencesOf(files, '.')
  const missing = difference(dirs, listed).map((dir) => `tsconfig.json: no reference to ${dir}`)
  const own = dirs.flatMap((dir) => {
    const wanted = Object.keys(manifest(files, dir).dependencies ?? {}).flatMap((name) => {
      const to = byName.get(name)
      return to === undefined ? [] : [to]
    })
    const found = referencesOf(files, dir)
    const lacking = difference(wanted, found).map((path) => `no reference to ${path}`)
    const idle = difference(found, wanted).map(
      (path) => `a reference to ${path} without dependency`,
    )
    return [...lacking, ...idle].map((text) => `${dir}/tsconfig.json: ${text}`)
  })
  return [...missing, ...own]
}

/** Paths of the machine on which something was written; documents name no temporary ones either. */
const localPath = /(?<![\w.~-])\/(work|root)\/[\w.]/
const localPathInDocs = /(?<![\w.~-])\/(work|root|home|tmp)\/[\w.]/
const registry =
  /https?:\/\/[^\s'"`)]*\b(registry|npmmirror|artifactory|nexus)\b|^\s*(tarball:\s*http|[^#\n]*registry\s*=\s*http)/im

export const nothingLocal: Rule = (files) =>
  [...files].flatMap(([path, text]) => {
    const local = (path.endsWith('.md') ? localPathInDocs : localPath).exec(text)?.[0]
    const host = registry.exec(text)?.[0]
    return [
      ...(local === undefined ? [] : [`${path}: a local path (${local}…)`]),
      ...(host === undefined ? [] : [`${path}: a registry (${host.trim()})`]),
    ]
  })

export const rules: Readonly<Record<string, Rule>> = {
  noAmbientTime,
  noSleep,
  noFocus,
  maxLines,
  knownGroups,
  importDirection,
  manifests,
  readmes,
  pinned,
  references,
  nothingLocal,
}
