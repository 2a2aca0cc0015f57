import type { Invocation } from './types.ts'

/** How the tier is called where a project does not say. */
export const DEFAULT_INVOCATION = 'pnpm run test:snapshot'

/**
 * The command lines of a project. `{mode}` in what it says is the mode; without it the mode is put
 * behind, as a script of a package is named.
 */
export function scriptInvocation(call: string): Invocation {
  return (mode, names) => {
    const command = call.includes('{mode}') ? call.replaceAll('{mode}', mode) : `${call}:${mode}`
    return [command, ...names].join(' ')
  }
}
