// Makes what users run out of what the compiler emits: one file per package, and one minified chunk
// for the two large libraries. An agent loads some hundred and fifty modules otherwise, and start-up
// is mostly the loading of modules. Packages stay apart from one another and from cordis: two copies
// of a service class would not meet.
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { common, packageOptions, VENDORED } from './lib/bundling.mjs'
import { BUNDLES_FILE, LICENCES_FILE, licencesOf, noticesText } from './lib/licences.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const vendor = join(root, 'packages/core/vendor')

/** zod's message catalogues, all but English, which zod imports by itself. */
const withoutLocales = {
  name: 'without-locales',
  setup({ onLoad }) {
    onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, () => ({ contents: 'export {}' }))
  },
}

async function bundleVendor() {
  await rm(join(vendor, 'dist'), { recursive: true, force: true })
  const { metafile } = await build({
    ...common,
    absWorkingDir: vendor,
    metafile: true,
    entryPoints: Object.entries(VENDORED).map(([specifier, out]) => ({ in: specifier, out })),
    outdir: 'dist',
    splitting: true,
    minify: true,
    plugins: [withoutLocales],
  })
  const inputs = Object.keys(metafile.inputs)
  // Minified code keeps no word of whose it is, and every licence wants to go with its code.
  await writeFile(join(vendor, LICENCES_FILE), noticesText(licencesOf(inputs, vendor)))
  return [vendor, inputs]
}

async function bundlePackage(dir) {
  const where = { from: 'dist', extension: '.js', outdir: 'dist/bundle' }
  const { metafile } = await build({
    ...packageOptions(dir, where),
    sourcemap: true,
    metafile: true,
  })
  return [dir, Object.keys(metafile.inputs)]
}

async function packageDirs() {
  const groups = await readdir(join(root, 'packages'))
  const dirs = await Promise.all(
    groups.map(async (group) => {
      const names = await readdir(join(root, 'packages', group))
      return names.map((name) => join(root, 'packages', group, name))
    }),
  )
  return dirs.flat().filter((dir) => existsSync(join(dir, 'dist/index.js')))
}

const bundles = await Promise.all([bundleVendor(), ...(await packageDirs()).map(bundlePackage)])
const inputs = Object.fromEntries(bundles.map(([dir, files]) => [relative(root, dir), files]))
await mkdir(dirname(join(root, BUNDLES_FILE)), { recursive: true })
await writeFile(join(root, BUNDLES_FILE), JSON.stringify(inputs))
