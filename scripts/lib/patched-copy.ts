import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A fault to be put into sources. */
export interface Fault {
  /** Relative to the package's `src`. */
  readonly file: string
  /** Must stand there exactly once: a fault that no longer fits proves nothing. */
  readonly find: string
  readonly replace: string
}

export interface PatchedCopy {
  /** Absolute, to be imported. */
  readonly index: string
  remove(): void
}

/**
 * Copies a package's sources, with a fault put in: so it is shown that tests would see it, without a
 * switch for it in the sources. The copy lies in the package, where its imports resolve as before.
 * @throws Error when the fault does not fit
 */
export function patchedCopy(src: string, { file, find, replace }: Fault): PatchedCopy {
  const copy = mkdtempSync(join(dirname(src), '.guards-'))
  const remove = (): void => rmSync(copy, { recursive: true, force: true })
  try {
    cpSync(src, copy, { recursive: true })
    const text = readFileSync(join(copy, file), 'utf8')
    const found = text.split(find).length - 1
    if (found !== 1) throw new Error(`${file} has ${found} times, not once: ${find}`)
    writeFileSync(
      join(copy, file),
      text.replace(find, () => replace),
    )
  } catch (error) {
    remove()
    throw error
  }
  return { index: join(copy, 'index.ts'), remove }
}
