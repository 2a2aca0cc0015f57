import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Context } from '@deepseek-ai/cordis'
import * as sessions from 'dsh-session'
import * as store from 'dsh-session-jsonl'
import { pairedRatios, row } from '../lib/ratio.mjs'

const SHORT = 1000
const LONG = 200_000
const BATCH = 200

/** Processor time to append and flush a turn at the end of a long log, over that at the end of a short one. */
export async function measure() {
  const root = await mkdtemp(join(tmpdir(), 'dsh-bench-'))
  const ctx = new Context()
  try {
    await ctx.plugin(sessions)
    await new Promise((resolve) => {
      ctx.inject(['sessions'], () => resolve())
    })
    await ctx.plugin(store, { root })
    const [long, short] = [LONG, SHORT].map((length) => {
      const session = ctx.sessions.create({ cwd: '/work' })
      turn(session, length)
      return session
    })
    await Promise.all([long, short].map((session) => ctx.sessions.flush(session)))
    const append = async (session) => {
      const before = process.cpuUsage()
      turn(session, BATCH)
      await ctx.sessions.flush(session)
      const { user, system } = process.cpuUsage(before)
      return (user + system) / 1000
    }
    const pairs = await pairedRatios(
      31,
      () => append(long),
      () => append(short),
    )
    const name = `a turn of ${BATCH} events behind ${LONG} ÷ behind ${SHORT}`
    return row({ name, pairs, target: 1.2, better: 'below', unit: 'ms of processor' })
  } finally {
    await ctx.fiber.dispose()
    await rm(root, { recursive: true })
  }
}

function turn(session, length) {
  for (let index = 0; index < length; index++) {
    const chunk = { type: 'text-delta', index: 0, text: ` word${index % 97}` }
    session.append('assistant/chunk', { turn: 1, step: 1, chunk })
  }
}
