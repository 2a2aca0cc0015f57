import { rename as move } from 'node:fs/promises'

/**
 * Puts a folder in the place of another, which goes to `aside`; there need be none. Where the new
 * one cannot be put there, the old one is put back. All are on one file system.
 */
export async function replaceFolder(
  target: string,
  by: string,
  aside: string,
  rename: typeof move = move,
): Promise<void> {
  let had = true
  try {
    await rename(target, aside)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    had = false
  }
  try {
    await rename(by, target)
  } catch (error) {
    if (had) await rename(aside, target)
    throw error
  }
}
