import { DshError, messageOf } from 'dsh-brand'
import { bootComposition, type Importer } from 'dsh-boot'
import type { RunnerProcess } from './streams.ts'

export interface RunAcpAgentOptions {
  /** The live composition. */
  readonly config: URL
  /** The composition for `DSH_SNAPSHOT=replay`. */
  readonly snapshotConfig?: URL
  /** How rows find their plugins. Default: as Node would from the composition's folder. */
  readonly importer?: Importer
}

/**
 * Boots a composition, serves it on standard input and output until the client goes or a signal
 * comes, and leaves in order: running turns are ended and every log is flushed before the exit.
 * Exits with 0, or with 1 after saying on stderr why it could not start or end well.
 */
export async function runAcpAgent(
  options: RunAcpAgentOptions,
  process: RunnerProcess,
): Promise<void> {
  try {
    await serveUntilEnd(options, process)
    process.exit(0)
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`)
    process.exit(1)
  }
}

async function serveUntilEnd(options: RunAcpAgentOptions, process: RunnerProcess): Promise<void> {
  const config = chooseConfig(options, process.env['DSH_SNAPSHOT'])
  const composition = await bootComposition({
    config,
    stderr: process.stderr,
    ...(options.importer !== undefined && { importer: options.importer }),
  })
  try {
    // Opened only now: a client must never talk to half a composition.
    const serving = composition.ctx.acp.serve({ input: process.stdin, output: process.stdout })
    const close = (): void => serving.close()
    process.on('SIGINT', close)
    process.on('SIGTERM', close)
    try {
      await serving.ended
    } finally {
      process.off('SIGINT', close)
      process.off('SIGTERM', close)
    }
  } finally {
    await composition.dispose()
  }
}

function chooseConfig(options: RunAcpAgentOptions, mode: string | undefined): URL {
  switch (mode) {
    case undefined:
    case '':
    case 'record':
      return options.config
    case 'replay':
      if (options.snapshotConfig !== undefined) return options.snapshotConfig
      throw new DshError(
        'NO_SNAPSHOT_CONFIG',
        'DSH_SNAPSHOT is "replay", but this agent has no snapshot composition; give runAcpAgent a snapshotConfig',
      )
    default:
      throw new DshError(
        'BAD_SNAPSHOT_MODE',
        `DSH_SNAPSHOT must be "replay" or "record", got "${mode}"; unset it for a live run`,
      )
  }
}
