import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadScenario, replayScenario } from 'dsh-acp-snapshot'
import { AGENT, SCENARIOS } from '../lib/agent.mjs'
import { pairedRatios, row } from '../lib/ratio.mjs'

/** A whole text turn, judged, over an agent that starts and exits at once. */
export async function measure() {
  const scenario = await loadScenario(join(SCENARIOS, 'text-turn'))
  const agent = { command: [process.execPath, AGENT] }
  const whole = async () => {
    const { verdict } = await replayScenario(scenario, { agent })
    if (verdict.status !== 'passed') throw new Error('the text-turn scenario is red')
  }
  const pairs = await pairedRatios(15, whole, startAndExit)
  return row({
    name: 'text-turn scenario ÷ agent start and exit',
    pairs,
    target: 1.5,
    better: 'below',
  })
}

async function startAndExit() {
  const home = await mkdtemp(join(tmpdir(), 'dsh-bench-'))
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    DSH_SNAPSHOT: 'replay',
    DSH_SNAPSHOT_FILE: join(SCENARIOS, 'text-turn/session.jsonl'),
    DSH_SNAPSHOT_SESSIONS_ROOT: join(home, 'sessions'),
  }
  const start = performance.now()
  const child = spawn(process.execPath, [AGENT], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  await once(child, 'exit')
  const elapsed = performance.now() - start
  await rm(home, { recursive: true, force: true })
  return elapsed
}
