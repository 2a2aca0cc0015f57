import { readFileSync } from 'node:fs'
import { scriptInvocation } from '../verdict/invocation.ts'
import type { Invocation } from '../verdict/types.ts'

export interface InvocationFacts {
  readonly env: Readonly<Record<string, string | undefined>>
  /** As given, if at all: the folder of the scenarios, and the agent's command line. */
  readonly dir: string | undefined
  readonly agent: string | undefined
}

/** What of a script's name says in which mode it is. */
const MODE = /:(?:replay|record|refresh)$/

/**
 * How this project brings its scenarios up to date: by the scripts beside the one that was run, as far
 * as its package has them; else by this command itself. For projects without a config, which says it.
 */
export function invocationFor({ env, dir, agent }: InvocationFacts): Invocation {
  const script = env['npm_lifecycle_event']?.replace(MODE, '')
  const scripts = scriptsOf(env['npm_package_json'])
  const bySelf: Invocation = (mode, names) =>
    ['dsh-acp-snapshot', mode, ...names, ...flag('--dir', dir), ...flag('--agent', agent)].join(' ')
  if (script === undefined) return bySelf
  const byScript = scriptInvocation(`${runner(env['npm_config_user_agent'])} run ${script}`)
  return (mode, names) => {
    return scripts.has(`${script}:${mode}`) ? byScript(mode, names) : bySelf(mode, names)
  }
}

function scriptsOf(packageJson: string | undefined): ReadonlySet<string> {
  if (packageJson === undefined) return new Set()
  try {
    const { scripts = {} } = JSON.parse(readFileSync(packageJson, 'utf8')) as {
      readonly scripts?: Readonly<Record<string, unknown>>
    }
    return new Set(Object.keys(scripts))
  } catch {
    // Only the words of a red depend on it.
    return new Set()
  }
}

/** `pnpm/10.34.9 npm/? node/v20.20.2 linux x64` and the like. */
function runner(userAgent: string | undefined): string {
  const [, name] = /^(pnpm|npm|yarn|bun)\//.exec(userAgent ?? '') ?? []
  return name ?? 'npm'
}

function flag(name: string, value: string | undefined): string[] {
  return value === undefined ? [] : [name, quoted(value)]
}

/** For a POSIX shell. */
function quoted(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}
