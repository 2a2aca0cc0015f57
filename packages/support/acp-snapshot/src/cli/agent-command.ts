import { isAbsolute, resolve } from 'node:path'
import { existsSync } from 'node:fs'
import { SnapshotError } from '../error.ts'
import type { AgentCommand } from '../run/types.ts'

/**
 * Reads `--agent`: program and arguments, separated by spaces, or a JSON array where one holds a
 * space. What names a file below the working directory is made absolute, since the agent runs
 * elsewhere.
 * @throws SnapshotError `BAD_USAGE`
 */
export function parseAgentCommand(text: string | undefined, cwd: string): AgentCommand {
  const words = text === undefined ? [] : split(text)
  const [program, ...args] = words.map((word) => absolute(word, cwd))
  if (program === undefined) {
    throw new SnapshotError(
      'BAD_USAGE',
      '--agent is missing: give the program and its arguments, as --agent "node agent.js"',
    )
  }
  return { command: [program, ...args] }
}

function split(text: string): string[] {
  if (!text.trimStart().startsWith('[')) return text.split(' ').filter((word) => word !== '')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new SnapshotError('BAD_USAGE', `--agent is no JSON array: ${text}`, { cause })
  }
  if (Array.isArray(value) && value.every((word) => typeof word === 'string')) return value
  throw new SnapshotError('BAD_USAGE', `--agent must be an array of strings, got ${text}`)
}

/** A bare program name is left to PATH even where a file of that name lies about. */
function absolute(word: string, cwd: string): string {
  if (isAbsolute(word) || !/[/\\.]/.test(word)) return word
  const path = resolve(cwd, word)
  return existsSync(path) ? path : word
}
