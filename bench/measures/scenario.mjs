import { join } from 'node:path'
import { loadScenario, replayScenario } from 'dsh-acp-snapshot'
import { AGENT, SCENARIOS, startAndExit } from '../lib/agent.mjs'
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
