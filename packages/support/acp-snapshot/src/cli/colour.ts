import type { CliHost } from './host.ts'

/**
 * On a terminal, unless its user wants no colours (no-color.org) or it knows none; elsewhere only where
 * they are asked for.
 */
export function wantsColour({ stdout, env }: Pick<CliHost, 'stdout' | 'env'>): boolean {
  if ((env['NO_COLOR'] ?? '') !== '') return false
  const forced = env['FORCE_COLOR'] ?? ''
  if (forced !== '') return forced !== '0'
  return stdout.isTTY === true && env['TERM'] !== 'dumb'
}
