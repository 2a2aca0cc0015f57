import type { Context } from '@deepseek-ai/cordis'
import { causesOf, describeMessage } from './describe.ts'
import { BootError } from './error.ts'
import type { RowProblem } from './types.ts'

/** How many problems and how many other errors are printed. */
const SHOWN = 20

const indent = (text: string): string => text.replaceAll('\n', '\n    ')

function list(lines: readonly string[]): string {
  const more = lines.length > SHOWN ? [`and ${lines.length - SHOWN} more`] : []
  return [...lines.slice(0, SHOWN), ...more].map((line) => `\n  - ${indent(line)}`).join('')
}

/** The errors that the problems tell of. Cordis logs causes as messages of their own. */
function told(problems: readonly RowProblem[]): Set<unknown> {
  const errors = problems.flatMap((problem) => problem.errors)
  return new Set([...errors, ...errors.flatMap(causesOf)])
}

/** The error of a boot that leaves `problems`, with whatever else was logged as an error. */
export function notLoaded(
  ctx: Context,
  file: string,
  problems: readonly RowProblem[],
  rootId: string,
  late: string,
): BootError {
  const lines = problems.map(({ id, name, file: at, reason }) => {
    if (id === rootId) return reason
    return `row "${id}" (${name}) ${reason}${at === undefined || at === file ? '' : ` in ${at}`}`
  })
  const known = told(problems)
  const others = ctx.logger.buffer
    .filter((message) => message.type === 'error' && !known.has(message.args[0]))
    .map((message) => `${message.name}: ${describeMessage(message)}`)
  const also = others.length === 0 ? '' : `\nOther errors that were logged:${list(others)}`
  const all = lines.length === 0 ? ' the host has not finished to prepare it' : list(lines)
  const cause = problems.flatMap((problem) => problem.errors)[0]
  return new BootError('NOT_LOADED', `${file} does not run${late}:${all}${also}`, {
    problems,
    cause,
  })
}
