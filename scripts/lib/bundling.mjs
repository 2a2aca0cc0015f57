// How a package becomes what users load: shared by the build and by whoever builds a package again.
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** What is vendored: import specifier to subpath of `dsh-vendor`. */
export const VENDORED = { zod: 'zod', '@agentclientprotocol/sdk': 'acp-sdk' }

export const common = {
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  legalComments: 'eof',
}

/** What a package may have: its library, its command, and its half for a test runner. */
const ENTRIES = ['index', 'cli', 'bin/main', 'vitest']

/** Everything but the package's own files stays outside; vendored libraries are looked up there. */
const outside = {
  name: 'outside',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path }) => ({
      path: path in VENDORED ? `dsh-vendor/${VENDORED[path]}` : path,
      external: true,
    }))
  },
}

/**
 * esbuild's options for one package.
 *
 * @param {string} dir the package, absolute
 * @param {{ from: string, extension: string, outdir: string }} where entries lie in `from`, below `dir`
 */
export function packageOptions(dir, { from, extension, outdir }) {
  return {
    ...common,
    absWorkingDir: dir,
    entryPoints: ENTRIES.map((entry) => `${from}/${entry}${extension}`).filter((entry) =>
      existsSync(join(dir, entry)),
    ),
    outdir,
    splitting: true,
    plugins: [outside],
  }
}
