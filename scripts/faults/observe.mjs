import { createHash } from 'node:crypto'
import { join } from 'node:path'

/**
 * What an agent says and does in every scenario, with the sound harness and without its verdict:
 * normalised stdout, normalised logs, and the replay report.
 *
 * @param {any} harness the sound library
 * @param {string} agent the agent's script
 * @param {string} dir the scenarios
 * @param {readonly string[]} names
 * @param {string} tempDir
 * @returns {Promise<Map<string, readonly string[]>>} lines by scenario
 */
export async function observe(harness, agent, dir, names, tempDir) {
  const seen = new Map()
  for (const name of names) {
    const scenario = await harness.loadScenario(join(dir, name), { purpose: 'replay' })
    const result = await harness.capture(scenario, 'replay', {
      agent: { command: [process.execPath, agent] },
      tempRoot: tempDir,
    })
    const normal = harness.normaliseRun(result, { pinHeader: scenario.pinnedHeader !== undefined })
    const ids = new Map()
    const report = result.report.map((record) =>
      JSON.stringify(record, (key, value) => {
        if (key !== 'session' || value === null) return value
        if (!ids.has(value)) ids.set(value, `session ${ids.size}`)
        return ids.get(value)
      }),
    )
    const faults = result.faults.map(({ kind }) => kind)
    seen.set(name, [
      ...normal.stdout,
      ...normal.logs.flatMap(({ text }) => text.split('\n')),
      ...report,
      ...faults,
    ])
    await result.dispose()
  }
  return seen
}

/**
 * Compares what was observed of the sound product and of a survivor.
 *
 * @param {ReadonlyMap<string, readonly string[]>} sound
 * @param {ReadonlyMap<string, readonly string[]>} survivor
 * @returns {import('./types.ts').Comparison}
 */
export function compareObserved(sound, survivor) {
  for (const [name, lines] of sound) {
    const others = survivor.get(name) ?? []
    const at = lines.findIndex((line, index) => line !== others[index])
    if (at < 0 && lines.length === others.length) continue
    const index = at < 0 ? lines.length : at
    const text = `${name}, line ${index + 1}: ${cut(lines[index])} became ${cut(others[index])}`
    return { equal: false, text }
  }
  const lines = [...sound.values()].reduce((sum, each) => sum + each.length, 0)
  const text = `${sound.size} scenarios, ${lines} lines, ${digest(sound)} and ${digest(survivor)}`
  return { equal: true, text }
}

function cut(line) {
  return line === undefined ? 'nothing' : line.slice(0, 160)
}

function digest(seen) {
  const hash = createHash('sha256')
  for (const [name, lines] of seen) hash.update(JSON.stringify([name, lines]))
  return hash.digest('hex').slice(0, 12)
}
