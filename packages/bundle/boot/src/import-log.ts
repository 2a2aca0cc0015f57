import { messageOf } from 'dsh-brand'
import { BootError } from './error.ts'
import type { Importer } from './types.ts'

/**
 * An importer that asks once per name and folder, and remembers why imports failed: cordis only logs
 * it, without the row.
 */
export interface ImportLog extends Importer {
  /** The failure of that import, if it failed. */
  failureOf(name: string, baseUrl: string): BootError | undefined
}

function isPlugin(value: unknown): boolean {
  if (typeof value === 'function') return true
  return typeof value === 'object' && value !== null && 'apply' in value
}

/** The value that cordis will mount: the default export where there is one. */
function unwrap(module: unknown): unknown {
  const value = (module as { default?: unknown } | null | undefined)?.default ?? module
  return (value as { default?: unknown } | null | undefined)?.default ?? value
}

function explain(name: string, error: unknown): string {
  const code = (error as { code?: unknown } | null | undefined)?.code
  // Node appends the stack of requires, which is about this package, not about the user's file.
  const message = messageOf(error).replace(/\nRequire stack:[\s\S]*$/, '')
  const hint =
    code === 'ERR_PACKAGE_PATH_NOT_EXPORTED'
      ? '; a plugin package must export the condition "default"'
      : ''
  return `cannot import "${name}": ${message}${hint}`
}

export function logImports(importer: Importer): ImportLog {
  const attempts = new Map<string, Promise<unknown>>()
  const failures = new Map<string, BootError>()
  const keyOf = (name: string, baseUrl: string): string => JSON.stringify([name, baseUrl])
  const attempt = async (name: string, baseUrl: string): Promise<unknown> => {
    let module: unknown
    try {
      module = await importer.import(name, baseUrl)
    } catch (error) {
      throw new BootError('IMPORT_FAILED', explain(name, error), { cause: error })
    }
    if (isPlugin(unwrap(module))) return module
    throw new BootError(
      'NOT_A_PLUGIN',
      `"${name}" is not a plugin: expected a function or an export named "apply"`,
    )
  }
  const noted = async (key: string, name: string, baseUrl: string): Promise<unknown> => {
    try {
      return await attempt(name, baseUrl)
    } catch (error) {
      failures.set(key, error as BootError)
      throw error
    }
  }
  return {
    import(name, baseUrl) {
      const key = keyOf(name, baseUrl)
      const known = attempts.get(key)
      if (known !== undefined) return known
      const running = noted(key, name, baseUrl)
      attempts.set(key, running)
      return running
    },
    failureOf: (name, baseUrl) => failures.get(keyOf(name, baseUrl)),
  }
}
