import type { Context, LoggerType, Message } from '@deepseek-ai/cordis'
import { describeMessage, oneLine } from './describe.ts'
import type { LogLevel, TextSink } from './types.ts'

/** Gravest first. Cordis's own numbers cannot say "warnings but no infos". */
const rank: Record<LogLevel | LoggerType, number> = {
  silent: 0,
  error: 1,
  warn: 2,
  info: 3,
  debug: 4,
}

/** How many messages are held back during boot; the oldest are dropped. */
const HELD = 1000

/** Cordis numbers its exporters from 1. */
const EXPORTER_ID = 0

export interface BootLog {
  /** Writes what was held back, and from now on everything as it comes. */
  release(): void
  /** Stops listening; what was held back is dropped. */
  detach(): void
}

const line = (message: Message): string =>
  `${message.type} ${message.name}: ${oneLine(describeMessage(message))}\n`

/**
 * Sends log messages of `level` and graver to `sink`, one line each: `warn dsh-acp: text`. Messages
 * are held back until `release`, since a boot that fails reports them itself.
 */
export function attachLog(ctx: Context, level: LogLevel, sink: TextSink): BootLog {
  let held: Message[] | undefined = []
  // Entered into the map directly: an exporter that is an effect of the root would be removed
  // before the plugins' clean-up has had its chance to complain.
  const { exporters } = ctx.logger
  exporters.set(EXPORTER_ID, {
    levels: { default: rank.debug },
    export(message) {
      if (rank[message.type] > rank[level]) return
      if (held === undefined) {
        sink.write(line(message))
        return
      }
      held.push(message)
      if (held.length > HELD) held.shift()
    },
  })
  return {
    release() {
      const messages = held ?? []
      held = undefined
      for (const message of messages) sink.write(line(message))
    },
    detach: () => void exporters.delete(EXPORTER_ID),
  }
}
