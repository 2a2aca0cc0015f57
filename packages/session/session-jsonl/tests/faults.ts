import type { FileHandle } from 'node:fs/promises'
import { type FileSystem, nodeFileSystem } from '../src/file-system.ts'

export function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: provoked`), { code })
}

/** Replaces methods of the handles that `open` gives. `path` is what was opened. */
export function withHandles(
  replace: (handle: FileHandle, path: string) => Partial<Record<keyof FileHandle, unknown>>,
): FileSystem {
  return {
    ...nodeFileSystem,
    open: async (path, ...rest) => {
      const handle = await nodeFileSystem.open(path, ...rest)
      const replaced = replace(handle, String(path))
      return new Proxy(handle, {
        get(target, key) {
          const value: unknown = Reflect.get(key in replaced ? replaced : target, key)
          return typeof value === 'function' ? (value.bind(target) as unknown) : value
        },
      })
    },
  }
}

/** A counter of failures to come: `fail()` throws while there are any. */
export class Failures {
  left = 0
  fail(code: string): void {
    if (this.left === 0) return
    this.left--
    throw systemError(code)
  }
}
