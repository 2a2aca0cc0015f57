import { createRequire } from 'node:module'
import { isAbsolute } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Importer } from './types.ts'

const isPath = (name: string): boolean => name.startsWith('.') || isAbsolute(name)

/**
 * Resolves like Node does, from the folder of the YAML file: relative and absolute paths and `file:`
 * URLs against `baseUrl`, bare names with `createRequire(baseUrl)`. That resolver ignores the
 * `import` condition, so a plugin package must export `default`.
 */
export function nodeImporter(): Importer {
  const resolvers = new Map<string, NodeJS.RequireResolve>()
  const resolve = (name: string, baseUrl: string): string => {
    if (isPath(name) || name.startsWith('file:')) return new URL(name, baseUrl).href
    let resolver = resolvers.get(baseUrl)
    if (resolver === undefined) {
      resolver = createRequire(baseUrl).resolve
      resolvers.set(baseUrl, resolver)
    }
    const found = resolver(name)
    // Node's own modules resolve to their name.
    return isAbsolute(found) ? pathToFileURL(found).href : found
  }
  return { import: async (name, baseUrl) => import(resolve(name, baseUrl)) }
}

/**
 * Answers the names in `modules` from memory and leaves all others to `fallback` (default:
 * `nodeImporter()`): for tests that mount plugins from source, and for bundled hosts.
 */
export function moduleImporter(
  modules: Readonly<Record<string, unknown>>,
  fallback: Importer = nodeImporter(),
): Importer {
  return {
    import: async (name, baseUrl) =>
      Object.hasOwn(modules, name) ? modules[name] : fallback.import(name, baseUrl),
  }
}
