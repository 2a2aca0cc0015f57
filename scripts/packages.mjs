// Looks at the packages as people would get them: packs each, and checks what is in the tarball, what
// its entries resolve to, and the types that an editor finds there. Part of the static gates.
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { consumerProblems } from './lib/consumer.mjs'
import { declarationProblems } from './lib/declarations.mjs'
import { BUNDLES_FILE, licencesOf } from './lib/licences.mjs'
import { packAll, packageFolders } from './lib/pack.mjs'
import { filesOf, licenceProblems, tarballProblems } from './lib/tarball.mjs'

/** Resolutions that a package of ES modules alone does not serve. */
const NOT_FOR_MODULES = new Set(['node10', 'node16-cjs'])
/** Code without types of its own: the packages that use it ship the types they need. */
const WITHOUT_TYPES = new Set(['dsh-vendor'])

const root = fileURLToPath(new URL('..', import.meta.url))

async function problemsOf(name, data, licences) {
  const bytes = new Uint8Array(data).buffer
  const { messages, pkg } = await publint({ pack: { tarball: bytes }, strict: true })
  const files = filesOf(data)
  const { exports = {} } = JSON.parse(files.get('package.json'))
  const entries = Object.values(exports).flatMap(({ types }) => types?.slice('./'.length) ?? [])
  return [
    ...tarballProblems(data),
    ...licenceProblems(data, licences),
    ...messages.map((message) => `publint: ${formatMessage(message, pkg)}`),
    ...(await typeProblems(name, new Uint8Array(bytes))),
    ...declarationProblems(files, entries),
  ]
}

async function typeProblems(name, bytes) {
  const { types, problems } = await checkPackage(createPackageFromTarballData(bytes))
  if (types === false) return WITHOUT_TYPES.has(name) ? [] : ['attw: no types']
  return problems
    .filter(({ resolutionKind }) => !NOT_FOR_MODULES.has(resolutionKind))
    .map(({ kind, entrypoint = '', resolutionKind = '' }) =>
      `attw: ${kind} ${entrypoint} ${resolutionKind}`.trimEnd(),
    )
}

const to = await mkdtemp(join(tmpdir(), 'dsh-packages-'))
try {
  const folders = await packageFolders()
  const bundles = JSON.parse(await readFile(join(root, BUNDLES_FILE), 'utf8'))
  const tarballs = new Map()
  for (const [name, path] of await packAll(to)) tarballs.set(name, await readFile(path))
  let failed = 0
  const report = (name, problems) => {
    if (problems.length > 0) failed += 1
    for (const problem of problems) process.stdout.write(`✗ ${name}: ${problem}\n`)
  }
  for (const [name, dir] of folders) {
    const data = tarballs.get(name)
    if (data === undefined) report(name, ['was not packed'])
    else if (bundles[dir] === undefined) report(name, ['was not bundled'])
    else report(name, await problemsOf(name, data, licencesOf(bundles[dir], join(root, dir))))
  }
  process.stdout.write(`${folders.size - failed} of ${folders.size} packages are fit to publish\n`)
  await mkdir(join(to, 'consumer'))
  const library = (name, owner) => join(root, folders.get(owner) ?? '', 'node_modules', name)
  report('together', await consumerProblems(join(to, 'consumer'), tarballs, library))
  process.exitCode = failed > 0 || folders.size === 0 ? 1 : 0
} finally {
  await rm(to, { recursive: true, force: true })
}
