import { messageOf } from 'dsh-brand'
import { ToolError } from 'dsh-tools'

/** What the model is told of a file that cannot be had or changed. Stable, for programs. */
export type FsErrorCode =
  /** The file, or the part of it that was asked for, does not exist. */
  | 'FS_NOT_FOUND'
  /** The file exists and was not read in this session. */
  | 'FS_NOT_OBSERVED'
  /** The file is not what it was when this session last read or wrote it. */
  | 'FS_STALE_VERSION'
  /** `old_string` occurs more than once. */
  | 'FS_AMBIGUOUS_EDIT'
  /** `old_string` does not occur. */
  | 'FS_EDIT_NOT_FOUND'
  | 'FS_IS_DIRECTORY'
  /** A file stands where a folder is needed. */
  | 'FS_NOT_DIRECTORY'
  /** A device, a pipe or a socket. */
  | 'FS_NOT_A_FILE'
  /** Not UTF-8 text. */
  | 'FS_BINARY'
  | 'FS_TOO_LARGE'
  /** A write outside the folders that the configuration allows. */
  | 'FS_OUTSIDE_CWD'
  /** The operating system refuses. */
  | 'FS_DENIED'
  /** The call was cancelled. */
  | 'FS_ABORTED'
  /** Any other failure of the operating system, named in the message. */
  | 'FS_IO'

/** A failed file operation. The message names the file by its absolute path. */
export class FsError extends ToolError {
  declare readonly code: FsErrorCode

  constructor(code: FsErrorCode, message: string, options?: ErrorOptions) {
    super(code, message, options)
  }
}

/** The `errno` name of what a file operation threw. */
export function errnoOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | undefined)?.code
  return typeof code === 'string' ? code : undefined
}

/** Says in our words what the operating system refused, since its own wording names temp files and calls. */
export function fromErrno(error: unknown, path: string): FsError {
  if (error instanceof FsError) return error
  const errno = errnoOf(error)
  switch (errno ?? '') {
    case 'ENOENT':
      return new FsError('FS_NOT_FOUND', `"${path}" does not exist`, { cause: error })
    case 'EISDIR':
      return new FsError('FS_IS_DIRECTORY', `"${path}" is a directory`, { cause: error })
    case 'ENOTDIR':
    case 'EEXIST':
      return new FsError('FS_NOT_DIRECTORY', `a parent of "${path}" is not a directory`, {
        cause: error,
      })
    case 'EACCES':
    case 'EPERM':
      return new FsError('FS_DENIED', `permission denied: "${path}"`, { cause: error })
    default:
      return new FsError('FS_IO', `cannot access "${path}": ${errno ?? messageOf(error)}`, {
        cause: error,
      })
  }
}
