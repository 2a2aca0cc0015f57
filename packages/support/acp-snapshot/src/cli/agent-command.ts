import { SnapshotError } from '../error.ts'
import { absoluteWord } from '../project/command.ts'
import type { AgentCommand } from '../run/types.ts'

/**
 * Reads `--agent`: program and arguments, separated by spaces, or a JSON array where one holds a
 * space. What names a file below the working directory is made absolute, since the agent runs
 * elsewhere.
 * @throws SnapshotError `BAD_USAGE`
 */
export function parseAgentCommand(text: string | undefined, cwd: string): AgentCommand {
  const [program, ...args] = agentWords(text)
  const absolute = (word: string): string => absoluteWord(word, cwd)
  return { command: [absolute(program), ...args.map(absolute)] }
}

/**
 * The same, as it was given.
 * @throws SnapshotError `BAD_USAGE`
 */
export function agentWords(text: string | undefined): AgentCommand['command'] {
  const [program, ...args] = text === undefined ? [] : split(text)
  if (program === undefined) {
    throw new SnapshotError(
      'BAD_USAGE',
      '--agent is missing: give the program and its arguments, as --agent "node agent.js"',
    )
  }
  return [program, ...args]
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
