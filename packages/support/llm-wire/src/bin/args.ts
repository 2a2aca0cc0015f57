import { parseArgs } from 'node:util'
import { messageOf } from 'dsh-brand'
import { WireError } from '../error.ts'

export const USAGE: string = `usage: dsh-llm-wire SCRIPT [--cwd DIR] [--session-header NAME] [--report FILE]

Serves the wire script SCRIPT on a free port of 127.0.0.1. Prints {"url": …} when ready, {"pause": …}
when a request has reached a hang or a hold, and {"report": …} at the end, one JSON line each. Takes
{"release": NAME} lines on stdin. Ends when stdin ends, on SIGTERM and on SIGINT; exits with 0, with
1 if anything was refused or left over, or with 2 if it could not do its work.
`

export interface WireArgs {
  readonly script: string
  readonly cwd?: string
  readonly sessionHeader?: string
  readonly report?: string
}

/** @throws WireError `BAD_USAGE`. */
export function parseWireArgs(args: readonly string[]): WireArgs {
  const { positionals, values } = parse(args)
  const [script, ...rest] = positionals
  if (script === undefined || rest.length > 0) {
    throw usageError(`expected one script, got ${positionals.length}`)
  }
  return {
    script,
    ...(values.cwd !== undefined && { cwd: values.cwd }),
    ...(values['session-header'] !== undefined && { sessionHeader: values['session-header'] }),
    ...(values.report !== undefined && { report: values.report }),
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        cwd: { type: 'string' },
        'session-header': { type: 'string' },
        report: { type: 'string' },
      },
    })
  } catch (error) {
    throw usageError(messageOf(error))
  }
}

function usageError(why: string): WireError {
  return new WireError('BAD_USAGE', `${why}\n${USAGE}`)
}
