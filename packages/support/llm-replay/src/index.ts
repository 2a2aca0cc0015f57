import type { Context } from '@deepseek-ai/cordis'
import { type Config, resolveConfig } from './config.ts'
import { installLlmReplay } from './install.ts'

export { Config, type RuleConfig } from './config.ts'
export { CWD_TOKEN, type CwdMapping, cwdMapping, cwdTokens } from './cwd.ts'
export { type FindEdits, replaceAcrossDeltas, replaceInText, type TextEdit } from './deltas.ts'
export { deriveReplayScript, type SeedBoundary } from './derive.ts'
export * from './error.ts'
export * from './install.ts'
export { type FixtureFiles, loadReplayScript, loadSessionScripts } from './load.ts'
export { parseSessionHeader, parseSessionLog } from './parse.ts'
export { lexicalAliases } from './paths.ts'
export type { RecordedRequests, RequestDifference } from './requests/types.ts'
export { findByRules, type NormaliseRule, ruleProblems } from './rules.ts'
export { isTime } from './times.ts'
export * from './types.ts'
export { AFTER_ESCAPE, isUuid, UUID_PATTERN } from './uuid.ts'

export const name = 'llm-replay'

// `sessions` and `tools` are looked up when they are there; replay does not wait for them.
export const inject: string[] = ['llm']

/** Mounts the replay with what the environment adds to the configuration. */
export function apply(ctx: Context, config: Config): void {
  installLlmReplay(ctx, resolveConfig(config, process.env))
}
