import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  embeddedModel,
  harvestSessionLogs,
  loadScenario,
  recordScenario,
  replayScenario,
  runScenario,
  WireProcess,
} from 'dsh-acp-snapshot'
import { systemClock as clock } from 'dsh-brand'
import { AGENT, SCENARIOS } from '../lib/agent.mjs'
import { pairedRatios, row } from '../lib/ratio.mjs'

/**
 * What recording costs beyond the agent's own runs: the one against the embedded model, and the
 * replay that proves the recording.
 */
export async function measure() {
  const scenario = await loadScenario(join(SCENARIOS, 'fs-edit'))
  const agent = { command: [process.execPath, AGENT] }
  const out = await mkdtemp(join(tmpdir(), 'dsh-bench-'))
  try {
    const record = async () => {
      const { status, problems } = await recordScenario(scenario, { agent, out })
      if (status !== 'recorded') throw new Error(`fs-edit was not recorded: ${problems.join('; ')}`)
    }
    const runs = async () => {
      const result = await runScenario(
        { scenario, agent, mode: 'record' },
        { harvest: harvestSessionLogs, model },
      )
      await result.dispose()
      const { verdict } = await replayScenario(scenario, { agent })
      if (verdict.status !== 'passed') throw new Error('the fs-edit scenario is red')
    }
    const model = async ({ cwd }) => {
      const script = scenario.wireFile
      const wire = await WireProcess.start({ command: embeddedModel(), script, cwd, clock })
      return {
        env: { DEEPSEEK_BASE_URL: wire.url, DEEPSEEK_API_KEY: 'none' },
        end: () => wire.end(),
      }
    }
    const pairs = await pairedRatios(9, record, runs)
    return row({
      name: "record ÷ the agent's run and the replay that proves it",
      pairs,
      target: 1.1,
      better: 'below',
    })
  } finally {
    await rm(out, { recursive: true, force: true })
  }
}
