import type { ModelEnv } from './types.ts'

/** What the adapters of this project read. */
export const defaultModelEnv: ModelEnv = { key: 'DEEPSEEK_API_KEY', baseUrl: 'DEEPSEEK_BASE_URL' }

/** Whether a host's environment has the key that a real model wants. */
export function hasKey(
  { key }: ModelEnv,
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  return (env[key] ?? '') !== ''
}

/** Why a scenario that only a real model can answer is not recorded. */
export function keyMissing({ key }: ModelEnv): string {
  return `recorded from the real endpoint only: set ${key}`
}
