import { constants } from 'node:os'
import { type Clock, DshError, delay, messageOf, systemClock } from 'dsh-brand'
import type { AcpServing } from 'dsh-acp'
import { bootComposition, type Importer } from 'dsh-boot'
import type { RunnerProcess } from './streams.ts'

export interface RunAcpAgentOptions {
  /** The live composition. */
  readonly config: URL
  /** The composition for `DSH_SNAPSHOT=replay`. */
  readonly snapshotConfig?: URL
  /** How rows find their plugins. Default: as Node would from the composition's folder. */
  readonly importer?: Importer
  /** How long the sessions may take to end once the client has gone, in milliseconds. Default 10,000. */
  readonly drainTimeoutMs?: number
  /** Default: the machine's. */
  readonly clock?: Clock
}

const DRAIN_TIMEOUT_MS = 10_000

/**
 * Boots a composition, serves it on standard input and output until the client goes or a signal
 * comes, and leaves in order: running turns are ended and every log is flushed before the exit. A
 * second signal exits at once, with 128 + its number.
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
    const release = closeOnSignal(serving, process)
    try {
      await drained(serving, options)
    } finally {
      release()
    }
  } finally {
    await composition.dispose()
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** @returns what gives the signals back */
function closeOnSignal(serving: AcpServing, process: RunnerProcess): () => void {
  let closing = false
  const listeners = SIGNALS.map((signal) => {
    const listener = (): void => {
      if (closing) process.exit(128 + constants.signals[signal])
      closing = true
      serving.close()
    }
    process.on(signal, listener)
    return [signal, listener] as const
  })
  return () => {
    for (const [signal, listener] of listeners) process.off(signal, listener)
  }
}

/** A tool that does not listen to its signal must not keep the process for ever. */
async function drained(serving: AcpServing, options: RunAcpAgentOptions): Promise<void> {
  const { clock = systemClock, drainTimeoutMs = DRAIN_TIMEOUT_MS } = options
  await serving.closed
  const done = new AbortController()
  const ended = serving.ended.finally(() => done.abort())
  // Whoever comes too late has nobody left to tell.
  ended.catch(() => undefined)
  const late = delay(clock, drainTimeoutMs, done.signal).then(() => {
    if (done.signal.aborted) return
    throw new DshError(
      'DRAIN_TIMEOUT',
      `the running turns did not end within ${drainTimeoutMs} ms after the client had gone; a tool or a model call ignores its signal, and what it was doing is lost`,
    )
  })
  await Promise.race([ended, late])
  await ended
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
