import { exitAfter, type RunnerProcess, type RunOptions, serveComposition } from 'dsh-spine'

/** The two compositions of an agent, and what its end may take. */
export type RunAcpAgentOptions = RunOptions

/**
 * Boots a composition, serves it on standard input and output until the client goes or a signal
 * comes, and leaves in order: running turns are ended and every log is flushed before the exit. A
 * second signal exits at once, with 128 + its number.
 * Exits with 0, or with 1 after saying on stderr why it could not start or end well.
 */
export function runAcpAgent(options: RunAcpAgentOptions, process: RunnerProcess): Promise<void> {
  return exitAfter(process, () =>
    serveComposition(options, process, (ctx) =>
      ctx.acp.serve({ input: process.stdin, output: process.stdout }),
    ),
  )
}
