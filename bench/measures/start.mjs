import { bareNode, startToInitialize } from '../lib/agent.mjs'
import { pairedRatios, row } from '../lib/ratio.mjs'

/** How long an editor waits for the agent, over a node process that does nothing. */
export async function measure() {
  const pairs = await pairedRatios(15, startToInitialize, bareNode)
  return row({
    name: 'start to answered initialize ÷ bare node',
    pairs,
    target: 3,
    better: 'below',
  })
}
