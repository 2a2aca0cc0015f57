import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import {
  invalidArgs,
  parametersOf,
  parseArgs,
  textOutcome,
  type Tool,
  type ToolDisplay,
} from 'dsh-tools'
import { z } from 'zod'
import type { Environment, Settings } from './config.ts'
import { commandEnvironment } from './environment.ts'
import type { NetworkIsolation } from './network.ts'
import { renderEnd } from './render.ts'
import { runProcess } from './run.ts'

const NAME = 'bash'
const DEFAULT_TIMEOUT_MS = 120_000
const MAX_TIMEOUT_MS = 600_000

const noNul = (value: string): boolean => !value.includes('\0')

const Args = z.object({
  command: z
    .string()
    .refine(noNul, 'Invalid command: it contains a NUL character')
    .describe('The bash command to execute.'),
  description: z
    .string()
    .describe('What the command does, in 5 to 10 words in active voice, for display.'),
  timeoutMs: z
    .int()
    .min(1)
    .optional()
    .describe(
      `Time limit in milliseconds. Defaults to ${DEFAULT_TIMEOUT_MS}; ${MAX_TIMEOUT_MS} at most.`,
    ),
  workdir: z
    .string()
    .min(1)
    .refine(noNul, 'Invalid path: it contains a NUL character')
    .optional()
    .describe('Folder to run in. Defaults to the working directory; relative to it.'),
})

export interface BashOptions {
  readonly settings: Settings
  /** The agent's environment. */
  readonly env: Environment
  readonly isolation: NetworkIsolation
  readonly warn: (message: string) => void
}

/** Runs a command in a fresh shell. */
export function bashTool({ settings, env, isolation, warn }: BashOptions): Tool {
  return {
    name: NAME,
    description:
      'Execute a bash command in a fresh shell and return its output. Nothing persists between ' +
      'calls: pass workdir instead of using cd. A non-zero exit is reported as [exit code: N]. ' +
      'Long output is cut to its end.',
    parameters: parametersOf(Args),
    kind: 'execute',
    display,
    execute: async (args, context) => {
      const { command, timeoutMs = DEFAULT_TIMEOUT_MS, workdir } = parseArgs(NAME, Args, args)
      const cwd = resolve(context.cwd, workdir ?? '.')
      await requireDirectory(cwd)
      const { signal, clock } = context
      const commandEnv = commandEnvironment(settings.environment, env)
      const prefix =
        settings.network === 'none'
          ? await isolation.prefix({ cwd, env: commandEnv, clock }, warn)
          : []
      const [file, ...rest] = [...prefix, 'bash', '-c', command]
      const end = await runProcess({
        file,
        args: rest,
        cwd,
        env: commandEnv,
        timeoutMs: Math.min(timeoutMs, MAX_TIMEOUT_MS),
        signal,
        clock,
      })
      return textOutcome(renderEnd(end))
    },
  }
}

function display(args: unknown): ToolDisplay {
  const { description, command } = (args ?? {}) as { description?: unknown; command?: unknown }
  if (typeof description === 'string' && description !== '') return { title: description }
  return { title: typeof command === 'string' ? command : NAME }
}

/** A missing folder would be reported by the system as a missing bash. */
async function requireDirectory(path: string): Promise<void> {
  const isDirectory = await stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  )
  if (!isDirectory) throw invalidArgs(NAME, `workdir: "${path}" is not a directory`)
}
