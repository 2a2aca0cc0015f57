import { replay, replayWords } from './product.mjs'
import { departure } from './verdicts.mjs'
import { VERDICT_MS } from './workshop.mjs'

/** Tried first where a fault does not say better: nested, with files, with a cancel. */
const TELLING = ['cancel', 'fs-edit', 'subagent-mixed']

/** Whose faults weaken the judge itself, so that green scenarios cannot tell. */
const JUDGES = new Set(['replay', 'harness'])

/**
 * @typedef {object} Known what the sound product says
 * @property {ReadonlyMap<string, import('./types.ts').PlainVerdict>} tier by scenario
 * @property {ReadonlyMap<string, import('./types.ts').PlainVerdict>} guards by name
 * @property {string} words
 *
 * @typedef {object} Batch one run of the command
 * @property {'tier' | 'guards' | 'words'} kind
 * @property {readonly string[]} names
 * @property {string | undefined} agent
 */

/**
 * Which runs may detect a fault, most telling first. Faults of an agent show in the scenarios; those
 * of a judge also in the runs whose verdict is known.
 *
 * @param {import('./types.ts').Fault} fault
 * @param {readonly string[]} scenarios
 * @param {readonly import('./types.ts').Guard[]} guards
 * @param {{ quick?: boolean }} [options] `quick`: only where the fault says that it shows
 * @returns {Batch[]}
 */
export function batchesFor(fault, scenarios, guards, { quick = false } = {}) {
  const judges = JUDGES.has(fault.area)
  const telling = fault.scenarios ?? (fault.guards === undefined ? TELLING : [])
  const firstTier = telling.filter((name) => scenarios.includes(name))
  const tier = (names) => ({ kind: 'tier', names, agent: undefined })
  const batches = [tier(firstTier)]
  const wanted = new Set(fault.guards ?? [])
  if (judges) {
    batches.push(...guardBatches(guards.filter(({ name }) => wanted.has(name))))
  }
  if (quick) return batches.filter(({ names }) => names.length > 0)
  if (judges) {
    batches.push(...guardBatches(guards.filter(({ name }) => !wanted.has(name))))
  }
  batches.push(tier(scenarios.filter((name) => !firstTier.includes(name))))
  if (fault.area === 'harness') {
    const names = guards.filter(({ agent }) => agent === undefined).map(({ name }) => name)
    batches.push({ kind: 'words', names, agent: undefined })
  }
  return batches.filter(({ names }) => names.length > 0)
}

/** Guards with one agent run together. */
export function guardBatches(guards) {
  const byAgent = new Map()
  for (const { name, agent } of guards) byAgent.set(agent, [...(byAgent.get(agent) ?? []), name])
  return [...byAgent].map(([agent, names]) => ({ kind: 'guards', names, agent }))
}

/**
 * Runs one batch with what is in a workshop now.
 *
 * @param {import('./workshop.mjs').Workshop} workshop
 * @param {{ tier: string, guards: string }} folders
 * @param {Batch} batch
 * @param {AbortSignal} signal
 */
export function runOf(workshop, folders, { kind, names, agent }, signal) {
  const tree = workshop.treeOf(agent)
  const dir = kind === 'tier' ? folders.tier : folders.guards
  const { dir: home, tempDir } = workshop
  return {
    harness: tree.harness,
    agent: tree.agent,
    dir,
    names,
    home,
    tempDir,
    boundMs: VERDICT_MS,
    signal,
  }
}

/**
 * Looks for a fault that is in the workshop, until something says otherwise than the sound product.
 *
 * @param {import('./types.ts').Fault} fault
 * @param {readonly Batch[]} batches
 * @param {Known} known
 * @param {(batch: Batch) => import('./product.mjs').Run} run
 * @returns {Promise<{ by: string, label: string } | undefined>}
 */
export async function detect(fault, batches, known, run) {
  const strict = JUDGES.has(fault.area)
  for (const batch of batches) {
    const found =
      batch.kind === 'words'
        ? await otherWords(run(batch), known)
        : await otherVerdict(batch, known[batch.kind], strict, run(batch))
    if (found !== undefined) return found
  }
  return undefined
}

async function otherWords(run, known) {
  const words = await replayWords(run)
  return words === known.words ? undefined : { by: 'what people read', label: 'other-words' }
}

async function otherVerdict({ names, kind }, known, strict, run) {
  let found
  const said = new Set()
  const ended = await replay(run, (came) => {
    const expected = known.get(came.scenario)
    if (expected === undefined) return undefined
    said.add(came.scenario)
    const label = strict || kind === 'guards' ? departure(expected, came) : redOf(came)
    if (label === undefined) return undefined
    found = { by: came.scenario, label }
    return 'stop'
  })
  if (found !== undefined) return found
  const silent = names.find((name) => !said.has(name))
  if (silent !== undefined) {
    return { by: silent, label: ended.timedOut ? 'harness:timeout' : 'harness:no-verdict' }
  }
  const green = names.every((name) => known.get(name)?.label === 'passed')
  return ended.code === (green ? 0 : 1) ? undefined : { by: names[0], label: 'exit-code' }
}

function redOf({ label }) {
  return label === 'passed' ? undefined : label
}
