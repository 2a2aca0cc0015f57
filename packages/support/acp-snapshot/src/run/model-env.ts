import type { ModelEnv } from './types.ts'

/** What the adapters of this project read. */
export const defaultModelEnv: ModelEnv = { key: 'DEEPSEEK_API_KEY', baseUrl: 'DEEPSEEK_BASE_URL' }

/** The variables that hold keys. */
export function keysOf({ key }: ModelEnv): readonly string[] {
  return typeof key === 'string' ? [key] : key
}

/** Why a real model cannot be asked with a host's environment. Undefined where it can. */
export function keyMissing(
  modelEnv: ModelEnv,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const missing = keysOf(modelEnv).filter((name) => (env[name] ?? '') === '')
  if (missing.length === 0) return undefined
  return `recorded from the real endpoint only: set ${missing.join(' and ')}`
}
