import { z } from 'zod'
import { SnapshotError } from '../error.ts'
import { isFields } from '../log/lines.ts'
import { formatPath } from '../log/path.ts'
import { checkJson } from './fixtures.ts'
import { describeIssues } from './issues.ts'
import type { ScenarioInput } from './types.ts'

/** An hour: no scenario may block a gate for longer. */
const LONGEST_TIMEOUT_MS = 3_600_000

const after = z
  .strictObject({
    update: z.string().min(1).optional(),
    nth: z.int().min(1).optional(),
    file: z.string().min(1).meta({ pattern: '^(?!/)(?!(?:.*/)?\\.\\.(?:/|$))' }).optional(),
  })
  .superRefine((value, context) => {
    if ((value.update === undefined) === (value.file === undefined)) {
      context.addIssue({ code: 'custom', message: 'expected either "update" or "file"' })
    } else if (value.file !== undefined && value.nth !== undefined) {
      context.addIssue({ code: 'custom', path: ['nth'], message: '"nth" goes with "update" only' })
    } else if (value.file !== undefined && !staysInside(value.file)) {
      const message = 'expected a path inside the cwd, relative to it'
      context.addIssue({ code: 'custom', path: ['file'], message })
    }
  })
  // The same for editors.
  .meta({
    oneOf: [{ required: ['update'] }, { required: ['file'] }],
    dependentRequired: { nth: ['update'] },
  })

function staysInside(file: string): boolean {
  return !file.startsWith('/') && !file.split('/').includes('..')
}

/** By op: what a step may say beside `op`. */
const STEP_FIELDS = {
  initialize: { terminalOutput: z.boolean().optional() },
  newSession: {},
  newSessionExpectError: { additionalDirectories: z.array(z.string().min(1)).optional() },
  prompt: { text: z.string() },
  promptExpectError: { text: z.string() },
  promptAndCancel: { text: z.string(), after: after.optional() },
  cancel: {},
  loadSession: {},
  restart: {},
} as const

function step<Op extends keyof typeof STEP_FIELDS>(op: Op) {
  return z.strictObject({ op: z.literal(op), ...STEP_FIELDS[op] })
}

const INPUT_FIELDS = {
  $schema: z.string().describe('For editors alone.').optional(),
  steps: z
    .array(
      z.discriminatedUnion('op', [
        step('initialize'),
        step('newSession'),
        step('newSessionExpectError'),
        step('prompt'),
        step('promptExpectError'),
        step('promptAndCancel'),
        step('cancel'),
        step('loadSession'),
        step('restart'),
      ]),
    )
    .min(1)
    .describe('What the client does, in order.'),
  permissionAnswers: z
    .array(z.string().min(1))
    .describe('Answers to permission requests, first in, first out, by option kind.')
    .optional(),
  source: z
    .enum(['api', 'wire', 'authored'])
    .describe('api: recorded from the endpoint; wire: from wire.json; authored: never recorded.')
    .default('authored'),
  timeoutMs: z
    .int()
    .min(1)
    .max(LONGEST_TIMEOUT_MS)
    .describe('Bound on the whole run, in milliseconds.')
    .optional(),
  allowCommands: z
    .array(z.string().min(1))
    .describe('Programs and paths that recorded commands may use all the same.')
    .optional(),
  tools: z
    .record(z.string().min(1), z.enum(['run', 'recorded', 'refuse']))
    .describe('Tools that replay does not run: recorded serves the logged result, refuse fails.')
    .optional(),
  requests: z
    .enum(['strict', 'off'])
    .describe('strict: what the model is asked has to be what the recorded logs imply.')
    .optional(),
}

/** As it stands in the file; what its checks add is not in a JSON Schema. */
export const inputSchema: z.ZodType = z.strictObject(INPUT_FIELDS)

/** The keys that may stand in an object of `input.json`, for suggestions. */
const KNOWN = {
  input: Object.keys(INPUT_FIELDS).filter((key) => key !== '$schema'),
  ops: Object.keys(STEP_FIELDS),
  after: ['update', 'nth', 'file'],
  step: (op: string) => ['op', ...Object.keys(STEP_FIELDS[op as keyof typeof STEP_FIELDS])],
}

/**
 * Reads an `input.json`.
 * @throws SnapshotError `BAD_INPUT`: all that is wrong, each with the file and the path inside.
 */
export function parseInput(text: string, file: string): ScenarioInput {
  const value = jsonOf(text, file)
  const hidden = hiddenKeys(value, [])
  if (hidden.length > 0) {
    const problem = 'such a key would vanish while the file is read; remove it'
    throw new SnapshotError(
      'BAD_INPUT',
      hidden.map((path) => `${file}: ${formatPath(path)}: ${problem}`).join('\n'),
    )
  }
  const result = inputSchema.safeParse(value)
  if (!result.success) {
    const problems = describeIssues(result.error.issues, value, KNOWN)
    throw new SnapshotError('BAD_INPUT', problems.map((line) => `${file}: ${line}`).join('\n'))
  }
  // JSON holds no undefined, so optional keys are absent or whole.
  const { $schema: _forEditors, ...input } = result.data as ScenarioInput & { $schema?: string }
  return input
}

function jsonOf(text: string, file: string): unknown {
  try {
    return checkJson({ name: file, text })
  } catch (cause) {
    throw new SnapshotError('BAD_INPUT', (cause as Error).message, { cause })
  }
}

/** Keys that mean something to JavaScript itself, and are lost or misread when objects are built. */
function hiddenKeys(value: unknown, path: readonly PropertyKey[]): PropertyKey[][] {
  if (Array.isArray(value)) return value.flatMap((item, at) => hiddenKeys(item, [...path, at]))
  if (!isFields(value)) return []
  return Object.entries(value).flatMap(([key, item]) => [
    ...(key in Object.prototype ? [[...path, key]] : []),
    ...hiddenKeys(item, [...path, key]),
  ])
}
