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

/** Milliseconds from the start of the process to the first byte of its answer to `initialize`. */
export async function startToInitialize() {
  const home = await mkdtemp(join(tmpdir(), 'dsh-bench-'))
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    DSH_SNAPSHOT: 'replay',
    DSH_SNAPSHOT_FILE: join(SCENARIOS, 'text-turn/session.jsonl'),
    DSH_SNAPSHOT_SESSIONS_ROOT: join(home, 'sessions'),
  }
  const start = performance.now()
  const child = spawn(process.execPath, [AGENT], { env, stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.write(INITIALIZE)
  await once(child.stdout, 'data')
  const elapsed = performance.now() - start
  child.stdin.end()
  await once(child, 'exit')
  await rm(home, { recursive: true, force: true })
  return elapsed
}

/** Milliseconds of a node process that does nothing. */
export async function bareNode() {
  const start = performance.now()
  const child = spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' })
  await once(child, 'exit')
  return performance.now() - start
}
