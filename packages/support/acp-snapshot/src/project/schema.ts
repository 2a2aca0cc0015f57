import { didYouMean } from 'dsh-brand'
import { z } from 'zod'
import { SnapshotError } from '../error.ts'
import { formatPath } from '../log/path.ts'
import { compileRules } from '../normalise/rules.ts'
import type { ProjectConfig } from './types.ts'

const word = z.string().min(1)
const variable = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'expected the name of an environment variable')

const FIELDS = {
  command: z
    .tuple([word], z.string(), {
      error: 'expected a program and its arguments, as ["node", "agent.js"]',
    })
    .meta({
      description: 'Program and arguments of the agent, as ["node", "agent.js"].',
      minItems: 1,
    }),
  env: z
    .record(word, z.string())
    .describe("Added to the agent's scrubbed environment, last.")
    .optional(),
  modelEnv: z
    .strictObject({
      key: z
        .union([variable, z.array(variable).min(1)], {
          error: 'expected the name of an environment variable, or a list of them',
        })
        .describe(
          'The variable that holds the key of the model, as OPENAI_API_KEY, or all that do.',
        ),
      baseUrl: variable.describe('The one with the address that it is asked at.'),
    })
    .describe('How the agent finds its model. Default: DEEPSEEK_API_KEY, DEEPSEEK_BASE_URL.')
    .optional(),
  scenariosDir: word
    .describe('The folder that holds one folder per scenario. Default: tests/snapshots.')
    .optional(),
  normalise: z
    .array(
      z.strictObject({
        pattern: z
          .union([word, z.instanceof(RegExp)])
          .describe('A regular expression for what varies from run to run.'),
        token: word.describe('What stands there instead, as {{version}}.'),
      }),
    )
    .describe('Replacements in what is compared and in what is written.')
    .optional(),
  timeoutMs: z
    .int()
    .min(1)
    .max(3_600_000)
    .describe('Bound on a run whose scenario names none. Default: 60000.')
    .optional(),
  tools: z
    .record(word, z.enum(['run', 'recorded', 'refuse']))
    .describe('What becomes of a tool in replay where the scenario does not say. Default: run.')
    .optional(),
  concurrency: z.int().min(1).max(256).describe('How many scenarios run at a time.').optional(),
  invocation: word
    .describe('How people call the tier; {mode} stands for replay, record or refresh.')
    .optional(),
} satisfies Record<keyof ProjectConfig, z.ZodType>

/** With what only editors look at. */
export const configSchema: z.ZodType<ProjectConfig> = z.strictObject({
  $schema: z.string().optional(),
  ...FIELDS,
}) as unknown as z.ZodType<ProjectConfig>

/**
 * Checks a config. `source` is what messages call it.
 * @throws SnapshotError `BAD_CONFIG`: all that is wrong, a line each
 */
export function checkConfig(value: unknown, source: string): ProjectConfig {
  const result = configSchema.safeParse(value)
  if (!result.success) {
    const lines = result.error.issues.flatMap(problems).map((problem) => `${source}: ${problem}`)
    throw new SnapshotError('BAD_CONFIG', lines.join('\n'))
  }
  const { $schema: _forEditors, ...config } = result.data as ProjectConfig & { $schema?: string }
  try {
    compileRules(config.normalise ?? [])
  } catch (cause) {
    const { message } = cause as Error
    const lines = message.split('\n').map((line) => `${source}: ${line}`)
    throw new SnapshotError('BAD_CONFIG', lines.join('\n'), { cause })
  }
  return config
}

function problems(issue: z.core.$ZodIssue): string[] {
  const { path, message } = issue
  if (issue.code === 'unrecognized_keys' && path.length === 0) {
    const known = Object.keys(FIELDS)
    return issue.keys.map((key) => {
      return `${key}: unknown key${didYouMean(key, known) || ` (known: ${known.join(', ')})`}`
    })
  }
  return [path.length === 0 ? message : `${formatPath(path)}: ${message}`]
}
