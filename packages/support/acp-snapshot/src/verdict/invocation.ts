/** How the tier is called where a project does not say. */
export const DEFAULT_INVOCATION = 'pnpm run test:snapshot'

/**
 * The command for one mode and one scenario. `{mode}` in what a project says is the mode; without it
 * the mode is put behind, as a script of a package is named.
 */
export function invocationOf(invocation: string, mode: string, scenario: string): string {
  const call = invocation.includes('{mode}')
    ? invocation.replaceAll('{mode}', mode)
    : `${invocation}:${mode}`
  return `${call} ${scenario}`
}
