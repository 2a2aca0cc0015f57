import * as node from 'node:fs/promises'

/**
 * The calls that this package makes. Tests replace single ones to provoke what a real file system
 * cannot be made to do on demand: an fsync that fails, a write that stops half-way.
 */
export type FileSystem = Pick<
  typeof node,
  | 'link'
  | 'mkdir'
  | 'open'
  | 'readdir'
  | 'readlink'
  | 'realpath'
  | 'rename'
  | 'stat'
  | 'symlink'
  | 'unlink'
>

export const nodeFileSystem: FileSystem = node

/** Whether an error is the system's, with this code. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && codes.includes((error as NodeJS.ErrnoException).code ?? '')
}
