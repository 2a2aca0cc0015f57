// Looks at the packages as people would get them: packs each, and checks what is in the tarball, what
// its entries resolve to, and the types that an editor finds there. Part of the static gates.
import { readFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { packAll, packageNames } from './lib/pack.mjs'
import { VENDORED } from './lib/bundling.mjs'
import { licenceProblems, tarballProblems } from './lib/tarball.mjs'

/** Resolutions that a package of ES modules alone does not serve. */
const NOT_FOR_MODULES = new Set(['node10', 'node16-cjs'])
/** Code without types of its own: the packages that use it ship the types they need. */
const WITHOUT_TYPES = new Set(['dsh-vendor'])

async function problemsOf(name, tarball) {
  const data = await readFile(tarball)
  const bytes = new Uint8Array(data).buffer
  const { messages, pkg } = await publint({ pack: { tarball: bytes }, strict: true })
  return [
    ...tarballProblems(data),
    ...(name === 'dsh-vendor' ? licenceProblems(data, Object.keys(VENDORED)) : []),
    ...messages.map((message) => `publint: ${formatMessage(message, pkg)}`),
    ...(await typeProblems(name, new Uint8Array(bytes))),
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
  const names = await packageNames()
  const tarballs = await packAll(to)
  let failed = 0
  for (const name of names) {
    const tarball = tarballs.get(name)
    const problems = tarball === undefined ? ['was not packed'] : await problemsOf(name, tarball)
    if (problems.length > 0) failed += 1
    for (const problem of problems) process.stdout.write(`✗ ${name}: ${problem}\n`)
  }
  process.stdout.write(`${names.length - failed} of ${names.length} packages are fit to publish\n`)
  process.exitCode = failed > 0 || names.length === 0 ? 1 : 0
} finally {
  await rm(to, { recursive: true, force: true })
}
