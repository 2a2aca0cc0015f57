import { isFields } from '../log/lines.ts'
import { readRecords } from '../log/records.ts'
import type { ScenarioInput } from '../scenario/types.ts'
import type { NamedLog } from '../verdict/compare.ts'
import { commandProblems } from './command-guard.ts'
import type { CommandProblem } from './command-paths.ts'

/** The tool whose commands are looked at. */
const TOOL = 'bash'

/** A command that every replay will run. */
export interface ReplayedCommand {
  readonly file: string
  readonly command: string
  readonly problems: readonly CommandProblem[]
}

/** The commands that replay will run, with what is wrong with each. None where it runs no shell. */
export function replayedCommands(
  logs: readonly NamedLog[],
  { tools, allowCommands }: Pick<ScenarioInput, 'tools' | 'allowCommands'>,
): ReplayedCommand[] {
  if ((tools?.[TOOL] ?? 'run') !== 'run') return []
  return logs.flatMap(({ name, text }) => {
    const records = readRecords(text, name)
    const seed = records[0]?.value['seedLength']
    // What a fork inherited was run by its parent, and stands in the parent's log.
    const own = records.slice(1 + (typeof seed === 'number' ? seed : 0))
    return own.flatMap(({ value }) => {
      const args = argumentsOf(value['type'], value['data'])
      if (typeof args?.['command'] !== 'string') return []
      const { command, workdir } = args
      const at = typeof workdir === 'string' ? workdir : undefined
      return [{ file: name, command, problems: commandProblems(command, allowCommands, at) }]
    })
  })
}

/** Arguments that do not parse never reach the shell. */
function argumentsOf(type: unknown, data: unknown): Readonly<Record<string, unknown>> | undefined {
  if (type !== 'tool/call' || !isFields(data) || data['name'] !== TOOL) return undefined
  try {
    const value: unknown = JSON.parse(String(data['arguments']))
    return isFields(value) ? value : undefined
  } catch {
    return undefined
  }
}
