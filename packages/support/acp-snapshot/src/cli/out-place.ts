import { realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve, sep } from 'node:path'

/**
 * Whether the folder of `--out` lies in the checkout that holds the scenarios. Links are resolved;
 * where there is no checkout, the folder of the scenarios itself counts as one.
 */
export async function outPlace(
  out: string | undefined,
  scenarios: string,
): Promise<'none' | 'inside' | 'outside'> {
  if (out === undefined) return 'none'
  const dir = await realOf(resolve(scenarios))
  const root = (await checkoutOf(dir)) ?? dir
  const target = await realOf(resolve(out))
  return target === root || target.startsWith(root + sep) ? 'inside' : 'outside'
}

async function checkoutOf(dir: string): Promise<string | undefined> {
  // A folder, or a file in a linked worktree.
  const found = await stat(join(dir, '.git')).catch(() => undefined)
  if (found !== undefined) return dir
  const parent = dirname(dir)
  return parent === dir ? undefined : checkoutOf(parent)
}

/** The real path, also of what is yet to be made. */
async function realOf(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch {
    return join(await realOf(dirname(path)), basename(path))
  }
}
