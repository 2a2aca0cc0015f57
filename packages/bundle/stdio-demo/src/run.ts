import type { Context } from '@deepseek-ai/cordis'
import { brandString } from 'dsh-brand'
import type { Session } from 'dsh-session'
import { exitAfter, type RunnerProcess, type RunOptions, serveComposition } from 'dsh-spine'
import { type Arguments, readArguments } from './args.ts'
import { openShell, type ShellStreams } from './shell.ts'

/** The two compositions of the agent, and what its end may take. */
export type RunStdioAgentOptions = RunOptions

/** What the shell needs of its process; `process` itself in a bin, something else in tests. */
export interface StdioProcess extends RunnerProcess {
  readonly argv: readonly string[]
  readonly stdin: ShellStreams['stdin']
  cwd(): string
}

/**
 * Boots a composition and runs a turn for each line of standard input, until that ends. Ctrl-C
 * cancels the running turn; when idle, or the second time, it ends the shell in order, as SIGTERM
 * does; once more exits at once, with 128 + the signal's number.
 * Exits with 0, or with 1 after saying on stderr what could not start, be done, or be saved.
 */
export function runStdioAgent(options: RunStdioAgentOptions, process: StdioProcess): Promise<void> {
  return exitAfter(process, async () => {
    const args = readArguments(process.argv.slice(2))
    await serveComposition(options, process, async (ctx) =>
      openShell(ctx, await sessionFor(ctx, args, process.cwd()), process),
    )
  })
}

function sessionFor(ctx: Context, { resume }: Arguments, cwd: string): Session | Promise<Session> {
  if (resume !== undefined) return ctx.sessions.load(brandString<'SessionId'>(resume))
  // One session a process, so that its place in a recording is known.
  return ctx.sessions.create({ cwd, root: 0 })
}
