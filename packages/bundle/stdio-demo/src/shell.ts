import type { Readable, Writable } from 'node:stream'
import type { Context } from '@deepseek-ai/cordis'
import { DshError, eventLoopTurn } from 'dsh-brand'
import type { Session } from 'dsh-session'
import type { Serving } from 'dsh-spine'
import { linesOf } from './lines.ts'
import { Screen } from './screen.ts'
import { titleOf } from './title.ts'

/** Where a shell reads lines and says what comes of them: `process` has all three. */
export interface ShellStreams {
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Writable
  readonly stderr: Writable
}

/**
 * Runs a turn of the session for each line of the input, one after the other. Closes by itself at
 * the end of the input, and when nobody reads the output any more. `ended` rejects with what could
 * not be read, said or saved, and with `TURN_FAILED` where all else went well.
 */
export function openShell(ctx: Context, session: Session, streams: ShellStreams): Serving {
  const { stdin, stdout, stderr } = streams
  const agent = ctx.agents.create({ session })
  const stop = new AbortController()
  let broken: Error | undefined
  const screen = new Screen({
    stdout,
    stderr,
    titleOf: (call) => titleOf(ctx.tools, call),
    onBroken: (error) => {
      broken = error
      stop.abort()
    },
  })
  const stopped = new Promise<void>((resolve) => {
    stop.signal.addEventListener('abort', () => {
      // Ends the wait for the next line.
      stdin.destroy()
      resolve()
    })
  })
  const unobserve = ctx.on('session/event', (of, event) => {
    // Sub-agents have sessions of their own; they show as the call that started them.
    if (of === session) screen.show(event)
  })
  const ask = (): void => {
    if (stdin.isTTY === true) stderr.write('> ')
  }

  let cancelled = false
  const count = { turns: 0, failed: 0 }
  const converse = async (): Promise<void> => {
    // The first line says that all is ready, also for signals: whoever opens this takes them next.
    await eventLoopTurn()
    screen.mark('session', `${session.id} in ${session.cwd}`)
    ask()
    for await (const text of linesOf(stdin)) {
      if (text.trim() !== '') {
        cancelled = false
        const { reason } = await agent.prompt({ content: [{ type: 'text', text }] })
        count.turns += 1
        if (reason.kind === 'error' || reason.kind === 'rejected') count.failed += 1
      }
      if (stop.signal.aborted) return
      ask()
    }
  }

  const conversation = converse().catch((error: unknown) => {
    // The input was destroyed, or the agent disposed, on purpose; that tells what it cannot save.
    if (!stop.signal.aborted) throw error
  })
  const closed = Promise.race([conversation.catch(() => undefined), stopped])
  const ended = closed.then(async () => {
    const outcomes = await Promise.allSettled([conversation, ctx.agents.disposeAll()])
    unobserve()
    await screen.flush()
    if (broken !== undefined) throw broken
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
    if (count.failed > 0) {
      throw new DshError('TURN_FAILED', `${count.failed} of ${count.turns} turns failed`)
    }
  })
  return {
    closed,
    ended,
    close: () => stop.abort(),
    interrupt() {
      // The second time the turn has been told already, and does not listen.
      if (!agent.busy || cancelled) return false
      cancelled = true
      agent.cancel('Ctrl-C')
      return true
    },
  }
}
