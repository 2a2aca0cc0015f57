import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const AGENT = fileURLToPath(new URL('../../examples/acp-agent/bin.js', import.meta.url))
export const SCENARIOS = fileURLToPath(
  new URL('../../examples/acp-agent/tests/snapshots', import.meta.url),
)

const INITIALIZE = '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}\n'

/** Starts the agent under replay, in a home of its own, and gives what `measure` makes of it. */
async function withAgent(stdio, measure) {
  const home = await mkdtemp(join(tmpdir(), 'dsh-bench-'))
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    DSH_SNAPSHOT: 'replay',
    DSH_SNAPSHOT_FILE: join(SCENARIOS, 'text-turn/session.jsonl'),
    DSH_SNAPSHOT_SESSIONS_ROOT: join(home, 'sessions'),
  }
  try {
    const start = performance.now()
    return await measure(spawn(process.execPath, [AGENT], { env, stdio }), start)
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

/** Milliseconds from the start of the process to the first byte of its answer to `initialize`. */
export function startToInitialize() {
  return withAgent(['pipe', 'pipe', 'inherit'], async (child, start) => {
    child.stdin.write(INITIALIZE)
    await once(child.stdout, 'data')
    const elapsed = performance.now() - start
    child.stdin.end()
    await once(child, 'exit')
    return elapsed
  })
}

/** Milliseconds of an agent whose client goes at once. */
export function startAndExit() {
  return withAgent(['ignore', 'ignore', 'inherit'], async (child, start) => {
    await once(child, 'exit')
    return performance.now() - start
  })
}

/** Milliseconds of a node process that does nothing. */
export async function bareNode() {
  const start = performance.now()
  const child = spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' })
  await once(child, 'exit')
  return performance.now() - start
}
