import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { messageOf } from 'dsh-brand'
import { SnapshotError } from '../error.ts'
import { readText } from '../files/regular-file.ts'
import { checkJson } from '../scenario/fixtures.ts'
import { absoluteWord } from './command.ts'
import { checkConfig } from './schema.ts'
import type { Project } from './types.ts'

/** The names that a config file has, where none is given. */
export const CONFIG_FILES: readonly string[] = [
  'dsh-snapshot.config.json',
  'dsh-snapshot.config.mjs',
]
const DEFAULT_DIR = 'tests/snapshots'
const DEFAULT_INVOCATION = 'npx dsh-acp-snapshot {mode}'

/**
 * Reads and checks a config file; what it says of paths is relative to its folder.
 * @param file `.json`, or a module whose default export is the config
 * @throws SnapshotError `BAD_CONFIG`, naming the file and what is wrong with it
 */
export async function loadConfig(file: string | URL): Promise<Project> {
  const path = resolve(file instanceof URL ? fileURLToPath(file) : file)
  const config = checkConfig(await valueOf(path), path)
  const base = dirname(path)
  const [program, ...args] = config.command
  return {
    ...config,
    command: [absoluteWord(program, base), ...args.map((word) => absoluteWord(word, base))],
    scenariosDir: resolve(base, config.scenariosDir ?? DEFAULT_DIR),
    invocation: config.invocation ?? DEFAULT_INVOCATION,
  }
}

/**
 * The config file of a folder.
 * @throws SnapshotError `BAD_CONFIG` where there are two
 */
export function findConfig(dir: string): string | undefined {
  const [found, second] = CONFIG_FILES.filter((name) => existsSync(join(dir, name)))
  if (second !== undefined) {
    throw new SnapshotError(
      'BAD_CONFIG',
      `${found} and ${second} are both in ${dir}: keep one, or name it with --config`,
    )
  }
  return found === undefined ? undefined : join(dir, found)
}

async function valueOf(path: string): Promise<unknown> {
  if (path.endsWith('.json')) {
    try {
      return checkJson({ name: path, text: await readText(path) })
    } catch (cause) {
      throw new SnapshotError('BAD_CONFIG', messageOf(cause), { cause })
    }
  }
  let module: { readonly default?: unknown }
  try {
    module = (await import(pathToFileURL(path).href)) as typeof module
  } catch (cause) {
    throw new SnapshotError('BAD_CONFIG', `cannot load ${path}: ${messageOf(cause)}`, { cause })
  }
  if (module.default !== undefined) return module.default
  throw new SnapshotError('BAD_CONFIG', `${path} has no default export: export the config as that`)
}
