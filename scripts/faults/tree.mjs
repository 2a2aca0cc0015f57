import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { packageOptions } from '../lib/bundling.mjs'
import { marked } from './regions.mjs'

/** The agent that is tested. */
const AGENT = 'examples/acp-agent'
const HARNESS = 'packages/support/acp-snapshot'

/** Folders of packages, as `core/agent`. */
function packageFolders(root) {
  return readdirSync(join(root, 'packages')).flatMap((group) =>
    readdirSync(join(root, 'packages', group))
      .map((name) => `${group}/${name}`)
      .filter((folder) => existsSync(join(root, 'packages', folder, 'package.json'))),
  )
}

/** The sources of a package, relative to it, in a stable order. */
export function sourceFiles(root, folder) {
  return readdirSync(join(root, 'packages', folder, 'src'), { recursive: true })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `src/${file.split('\\').join('/')}`)
    .sort()
}

export function readSource(root, folder, file) {
  return readFileSync(join(root, 'packages', folder, file), 'utf8')
}

/**
 * Bundles a package from its sources, some of them replaced, and gives what it would write.
 *
 * @param {string} root the checkout
 * @param {string} folder
 * @param {ReadonlyMap<string, string>} texts by file, relative to the package
 * @param {{ banner?: string }} [options]
 * @returns {Promise<Map<string, Uint8Array>>} by path relative to the package
 * @throws Error where a source is not valid any more
 */
export async function bundled(root, folder, texts, { banner } = {}) {
  const dir = join(root, 'packages', folder)
  const replaced = {
    name: 'replaced',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const contents = texts.get(path.slice(dir.length + 1))
        return contents === undefined ? undefined : { contents, loader: 'ts' }
      })
    },
  }
  const options = packageOptions(dir, { from: 'src', extension: '.ts', outdir: 'dist/bundle' })
  const { outputFiles } = await build({
    ...options,
    plugins: [replaced, ...options.plugins],
    ...(banner !== undefined && { banner: { js: banner } }),
    write: false,
    logLevel: 'silent',
  })
  return new Map(outputFiles.map(({ path, contents }) => [path.slice(dir.length + 1), contents]))
}

/**
 * A copy of the built product in which single packages can be exchanged. Only what is loaded at run
 * time is copied; libraries are the checkout's.
 */
export class Tree {
  /** @param {string} root the checkout, built @param {string} dir where the copy goes; must not exist */
  constructor(root, dir) {
    this.dir = dir
    const copy = (path, options = {}) =>
      cpSync(join(root, path), join(dir, path), {
        recursive: true,
        verbatimSymlinks: true,
        ...options,
      })
    mkdirSync(dir, { recursive: true })
    symlinkSync(join(root, 'node_modules'), join(dir, 'node_modules'))
    for (const folder of packageFolders(root)) {
      const base = `packages/${folder}`
      copy(`${base}/package.json`)
      for (const part of ['node_modules', 'bin.js']) {
        if (existsSync(join(root, base, part))) copy(`${base}/${part}`)
      }
      const vendor = folder === 'core/vendor'
      copy(vendor ? `${base}/dist` : `${base}/dist/bundle`, {
        filter: (path) => !path.endsWith('.map'),
      })
    }
    copy(AGENT, { filter: (path) => !path.includes(`${AGENT}/tests`) })
  }

  get agent() {
    return join(this.dir, AGENT, 'bin.js')
  }

  get harness() {
    return join(this.dir, HARNESS, 'bin.js')
  }

  /**
   * Puts in what a package was bundled to. Chunks of the build before stay; nothing loads them.
   *
   * @param {string} folder
   * @param {ReadonlyMap<string, Uint8Array>} files
   */
  put(folder, files) {
    for (const [path, contents] of files) {
      writeFileSync(join(this.dir, 'packages', folder, path), contents)
    }
  }
}

/**
 * The marker that tells which regions ran: one line per region and process, in a file.
 *
 * @param {string} file
 */
export function reachBanner(file) {
  return (
    "import { appendFileSync as __reachAppend } from 'node:fs';" +
    'const __reachSeen = new Set();' +
    'const __reach = (key) => { if (!__reachSeen.has(key)) { __reachSeen.add(key); ' +
    `__reachAppend(${JSON.stringify(file)}, key + '\\n') } };`
  )
}

/** A source that tells by `reachBanner` which of its regions ran, as `package file region`. */
export function reaching(source, regions, folder, file) {
  return marked(
    source,
    regions,
    (region) => `__reach(${JSON.stringify(`${folder} ${file} ${region}`)})`,
  )
}
