import { delimiter } from 'node:path'
import { messageOf } from 'dsh-brand'
import { z } from 'zod'
import { ReplayError } from './error.ts'
import type { NormaliseRule } from './rules.ts'
import type { ReplayConfig, RequestPolicy, ToolPolicy } from './types.ts'

/** The plugin's row in `cordis.yml`. What it leaves out comes from the environment. */
export interface Config {
  /** Default `$DSH_SNAPSHOT_FILE`. */
  file?: string | undefined
  /** Default `$DSH_SNAPSHOT_OVERRIDE`. */
  overrideFile?: string | undefined
  /** Default `$DSH_SNAPSHOT_CHILD_FILES`, separated like `$PATH`. */
  childFiles?: string[] | undefined
  /** By the path of the child's log. Default `$DSH_SNAPSHOT_CHILD_OVERRIDES`, a JSON object. */
  childOverrideFiles?: Record<string, string> | undefined
  /** Default `$DSH_SNAPSHOT_REPORT`. */
  reportFile?: string | undefined
  /** Default `$DSH_SNAPSHOT_TOOLS`, a JSON object. */
  tools?: Record<string, ToolPolicy> | undefined
  /** Default `$DSH_SNAPSHOT_REQUESTS`, else `off`. */
  requests?: RequestPolicy | undefined
  /** Default `$DSH_SNAPSHOT_NORMALISE`, a JSON array. */
  normalise?: RuleConfig[] | undefined
}

/** A `NormaliseRule` as JSON holds it. */
export interface RuleConfig {
  /** The source of a regular expression. */
  pattern: string
  /** Of the regular expression. */
  flags?: string | undefined
  /** What stands there instead: a name in double braces. */
  token: string
}

const path = z.string().min(1)
const overrides = z.record(path, path)
const requests = z.enum(['strict', 'off'])
const rule: z.ZodType<RuleConfig> = z.strictObject({
  pattern: z.string().min(1),
  flags: z.string().optional(),
  token: z.string(),
})
const rules = z.array(rule)
const tools = z.preprocess(
  (value, context) => {
    // A record leaves such a key out, and the real tool would run.
    if (typeof value === 'object' && value !== null && Object.hasOwn(value, '__proto__')) {
      context.addIssue({ code: 'custom', message: 'no tool can be named "__proto__"' })
    }
    return value
  },
  z.record(z.string(), z.enum(['run', 'recorded', 'refuse'])),
)

export const Config: z.ZodType<Config> = z
  .strictObject({
    file: path.optional(),
    overrideFile: path.optional(),
    childFiles: z.array(path).optional(),
    childOverrideFiles: overrides.optional(),
    reportFile: path.optional(),
    tools: tools.optional(),
    requests: requests.optional(),
    normalise: rules.optional(),
  } satisfies Record<keyof Config, z.ZodType>)
  .prefault({})

/**
 * Completes a configuration from the environment, where an empty variable counts as unset.
 * @throws ReplayError `CONFIG_INVALID` when no primary fixture is named, or a variable does not parse
 */
export function resolveConfig(
  config: Config,
  env: Readonly<Record<string, string | undefined>>,
): ReplayConfig {
  // `||`: an empty variable counts as unset.
  const file = config.file ?? (env.DSH_SNAPSHOT_FILE || undefined)
  if (file === undefined) {
    throw new ReplayError(
      'CONFIG_INVALID',
      'no recorded session is given: set "file" in the configuration of this plugin, or DSH_SNAPSHOT_FILE in the environment',
    )
  }
  const overrideFile = config.overrideFile ?? (env.DSH_SNAPSHOT_OVERRIDE || undefined)
  const policy = config.requests ?? requestsVariable(env.DSH_SNAPSHOT_REQUESTS)
  const reportFile = config.reportFile ?? (env.DSH_SNAPSHOT_REPORT || undefined)
  return {
    file,
    childFiles: config.childFiles ?? splitPaths(env.DSH_SNAPSHOT_CHILD_FILES),
    childOverrideFiles:
      config.childOverrideFiles ??
      parseVariable(overrides, env, 'DSH_SNAPSHOT_CHILD_OVERRIDES', {
        unset: '{}',
        what: 'object of a path by the path of a log',
      }),
    tools:
      config.tools ??
      parseVariable(tools, env, 'DSH_SNAPSHOT_TOOLS', {
        unset: '{}',
        what: 'object of "run", "recorded" or "refuse" by tool name',
      }),
    normalise: (
      config.normalise ??
      parseVariable(rules, env, 'DSH_SNAPSHOT_NORMALISE', {
        unset: '[]',
        what: 'array of rules, each with "pattern" and "token"',
      })
    ).map(ruleOf),
    ...(overrideFile === undefined ? {} : { overrideFile }),
    ...(reportFile === undefined ? {} : { reportFile }),
    ...(policy === undefined ? {} : { requests: policy }),
  }
}

function splitPaths(list: string | undefined): string[] {
  return (list ?? '').split(delimiter).filter((entry) => entry !== '')
}

/** A misspelt word must not switch the check off. */
function requestsVariable(value: string | undefined): RequestPolicy | undefined {
  const parsed = requests.optional().safeParse(value || undefined)
  if (parsed.success) return parsed.data
  const problem = `DSH_SNAPSHOT_REQUESTS must be "strict" or "off", not ${JSON.stringify(value)}`
  throw new ReplayError('CONFIG_INVALID', problem)
}

/** @throws ReplayError `CONFIG_INVALID` for flags that are none; the rest is checked with all rules */
function ruleOf({ pattern, flags, token }: RuleConfig): NormaliseRule {
  if (flags === undefined) return { pattern, token }
  try {
    return { pattern: new RegExp(pattern, flags), token }
  } catch (error) {
    const problem = `the rule for ${token} is no regular expression: ${messageOf(error)}`
    throw new ReplayError('CONFIG_INVALID', problem)
  }
}

/** JSON in a variable, or what stands for one that is unset. */
function parseVariable<T>(
  schema: z.ZodType<T>,
  env: Readonly<Record<string, string | undefined>>,
  name: string,
  { unset, what }: { readonly unset: string; readonly what: string },
): T {
  try {
    return schema.parse(JSON.parse(env[name] || unset))
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : messageOf(error)
    throw new ReplayError('CONFIG_INVALID', `${name} must be a JSON ${what}: ${reason}`)
  }
}
