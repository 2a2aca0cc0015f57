import type { Context } from '@deepseek-ai/cordis'
import { bootComposition } from 'dsh-boot'
import { messageOf } from 'dsh-brand'
import { chooseComposition } from './composition.ts'
import { drained } from './drain.ts'
import { closeOnSignal } from './signals.ts'
import type { RunnerProcess, RunOptions, Serving } from './types.ts'

/** Exits with 0 after `work`, or with 1 after saying on stderr why it could not be done. */
export async function exitAfter(process: RunnerProcess, work: () => Promise<void>): Promise<void> {
  try {
    await work()
    process.exit(0)
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`)
    process.exit(1)
  }
}

/**
 * Boots a composition, serves until that ends or a signal comes, and leaves in order: running turns
 * are ended and every log is flushed before it resolves. A second signal exits at once, with 128 +
 * its number.
 */
export async function serveComposition(
  options: RunOptions,
  process: RunnerProcess,
  serve: (ctx: Context) => Serving | Promise<Serving>,
): Promise<void> {
  const composition = await bootComposition({
    config: chooseComposition(options, process.env['DSH_SNAPSHOT']),
    stderr: process.stderr,
    ...(options.importer !== undefined && { importer: options.importer }),
  })
  try {
    // Opened only now: nobody must ever talk to half a composition.
    const serving = await serve(composition.ctx)
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
