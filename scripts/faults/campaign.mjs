import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { CHOSEN } from './chosen/index.mjs'
import { batchesFor, detect, guardBatches, runOf } from './detector.mjs'
import { drawFaults } from './draw.mjs'
import { GUARDS } from './guards.mjs'
import { compareObserved, observe } from './observe.mjs'
import { replay, replayWords } from './product.mjs'
import { allSites, DRAWN, DRAWN_FROM, markedBundles, reachedSites } from './sources.mjs'
import { parses } from './tree-walk.mjs'
import { patchedSources } from './patch.mjs'
import { bundled, readSource } from './tree.mjs'
import { bundleOf, layOut, scenarioNames, Workshop } from './workshop.mjs'

const SNAPSHOTS = 'examples/acp-agent/tests/snapshots'
const LIBRARY = 'packages/support/acp-snapshot/dist/bundle/index.js'

/**
 * @typedef {object} CampaignOptions
 * @property {string} root the checkout, built
 * @property {string} temp an empty folder
 * @property {number} seed
 * @property {readonly string[]} only names of chosen faults; all, and the drawn ones, where empty
 * @property {boolean} quick look only where a fault says that it shows
 * @property {number} workers
 * @property {AbortSignal} signal
 * @property {(text: string) => void} say
 */

/**
 * Puts faults into copies of the product, one at a time, and tells which the product itself notices.
 *
 * @param {CampaignOptions} options
 */
export async function runCampaign(options) {
  const { say } = options
  const campaign = await prepare(options)
  const { problems, reach } = await learn(campaign)
  const drawn = campaign.draws ? draw(reach(), options) : []
  const faults = [...campaign.chosen, ...drawn].filter((fault) => {
    const misfit = misfitOf(options.root, fault)
    if (misfit !== undefined) problems.push(`"${fault.name}" does not fit the sources: ${misfit}`)
    return misfit === undefined
  })
  say(`${faults.length} faults, ${drawn.length} of them drawn with seed ${options.seed}`)
  const control = { name: 'control', area: 'harness', package: 'support/acp-snapshot', edits: [] }
  const jobs = options.quick ? faults : [control, ...faults]
  const outcomes = await inTurn(campaign.workshops, jobs, (workshop, fault) =>
    tryFault(campaign, workshop, fault),
  )
  const alarm = options.quick ? undefined : outcomes.shift()
  if (alarm?.label !== undefined) {
    problems.push(`the sound product was called ${alarm.label} by ${alarm.by}`)
  }
  return { outcomes, problems }
}

function misfitOf(root, fault) {
  try {
    patchedSources(fault, (file) => readSource(root, fault.package, file))
    return undefined
  } catch (error) {
    return error.message
  }
}

function draw({ sources, kept, all }, { seed, say }) {
  say(`scenarios and known verdicts go through ${kept} of ${all} places for mutations`)
  return drawFaults(sources, DRAWN, seed, parses)
}

async function prepare({ root, temp, only, quick, workers, signal, say }) {
  const unknown = only.filter((name) => !CHOSEN.some((fault) => fault.name === name))
  if (unknown.length > 0) throw new Error(`no fault called ${unknown.join(', ')}; see --list`)
  const chosen = only.length === 0 ? CHOSEN : CHOSEN.filter(({ name }) => only.includes(name))
  const wanted = new Set(chosen.flatMap(({ guards = [] }) => guards))
  const guards = quick ? GUARDS.filter(({ name }) => wanted.has(name)) : GUARDS
  const scenarios = scenarioNames(join(root, SNAPSHOTS)).filter(
    (name) => !quick || chosen.some((fault) => fault.scenarios?.includes(name)),
  )
  const agents = new Map()
  for (const name of new Set(guards.flatMap(({ agent = [] }) => agent))) {
    const fault = CHOSEN.find((each) => each.name === name)
    if (fault === undefined) throw new Error(`no fault called "${name}", which a guard needs`)
    agents.set(name, { folder: fault.package, files: await bundleOf(root, fault) })
  }
  const folders = layOut(join(root, SNAPSHOTS), join(temp, 'scenarios'), guards)
  const workshops = Array.from(
    { length: workers },
    (_, number) => new Workshop(root, join(temp, `worker-${number}`), agents),
  )
  const draws = only.length === 0 && !quick
  return { root, temp, chosen, guards, scenarios, folders, workshops, signal, say, draws, quick }
}

/** What the sound product says of everything, and what code that takes. */
async function learn(campaign) {
  const { root, temp, guards, scenarios, folders, workshops, signal, draws, quick } = campaign
  const reachFile = join(temp, 'reached')
  const marks = draws ? await markedBundles(root, reachFile) : []
  for (const workshop of workshops) {
    for (const { folder, files } of marks) workshop.put(folder, files)
  }
  const known = { tier: new Map(), guards: new Map(), words: '' }
  const names = guards.filter(({ agent }) => agent === undefined).map(({ name }) => name)
  const batches = [
    ...guardBatches(guards),
    ...halves(scenarios).map((half) => ({ kind: 'tier', names: half, agent: undefined })),
    ...(quick ? [] : [{ kind: 'words', names, agent: undefined }]),
  ].filter((batch) => batch.names.length > 0)
  await inTurn(workshops, batches, async (workshop, batch) => {
    const run = runOf(workshop, folders, batch, signal)
    if (batch.kind === 'words') known.words = await replayWords(run)
    else {
      await replay(run, (verdict) => void known[batch.kind].set(verdict.scenario, verdict))
    }
  })
  if (marks.length > 0) await restore(campaign)
  campaign.known = known
  return {
    problems: wrongly(known, campaign),
    reach: () => reachedSites(allSites(root), readFileSync(reachFile, 'utf8')),
  }
}

function wrongly(known, { guards, scenarios }) {
  const expected = [
    ...scenarios.map((name) => [known.tier, name, 'passed']),
    ...guards.map(({ name, expect }) => [known.guards, name, expect]),
  ]
  return expected.flatMap(([verdicts, name, expect]) => {
    const label = verdicts.get(name)?.label ?? 'not judged'
    return label === expect ? [] : [`the sound product calls ${name} ${label}, expected ${expect}`]
  })
}

function halves(list) {
  const middle = Math.ceil(list.length / 2)
  return [list.slice(0, middle), list.slice(middle)]
}

/** Takes every mark out again. */
async function restore({ root, workshops }) {
  for (const { package: folder } of DRAWN_FROM) {
    const files = await bundled(root, folder, new Map())
    for (const workshop of workshops) workshop.put(folder, files)
  }
}

async function tryFault(campaign, workshop, fault) {
  const { root, guards, scenarios, folders, known, signal, say, quick } = campaign
  const began = performance.now()
  const sound = await bundled(root, fault.package, new Map())
  workshop.put(fault.package, await bundleOf(root, fault))
  let outcome
  try {
    const batches = batchesFor(fault, scenarios, guards, { quick })
    const found = await detect(fault, batches, known, (batch) =>
      runOf(workshop, folders, batch, signal),
    )
    const same =
      found === undefined && !quick ? await compared(campaign, workshop, fault) : undefined
    outcome = { fault, ...found, ...(same !== undefined && { same }) }
  } finally {
    workshop.put(fault.package, sound)
  }
  const seconds = (performance.now() - began) / 1000
  say(`${fault.name}: ${outcome.label ?? 'not detected'} (${seconds.toFixed(1)} s)`)
  return { ...outcome, seconds }
}

/** What a survivor changes. The judge's own survivors have said the same of everything. */
async function compared(campaign, workshop, fault) {
  const { root, folders, scenarios, guards, temp } = campaign
  if (fault.area === 'harness') {
    const text = `${scenarios.length} scenarios and ${guards.length} known verdicts, in JSON and in words`
    return { equal: true, text }
  }
  const harness = await import(pathToFileURL(join(root, LIBRARY)).href)
  const look = (agent, tempDir) => observe(harness, agent, folders.tier, scenarios, tempDir)
  campaign.sound ??= (async () => {
    // A copy of its own: the workers' have faults in them.
    const dir = join(temp, 'sound')
    mkdirSync(dir)
    const sound = new Workshop(root, dir, new Map())
    return look(sound.base.agent, sound.tempDir)
  })()
  const result = compareObserved(
    await campaign.sound,
    await look(workshop.base.agent, workshop.tempDir),
  )
  const judged = fault.area === 'replay' ? `; ${guards.length} known verdicts equal` : ''
  return { ...result, text: `${result.text}${judged}` }
}

/** Each workshop takes the next job when it is free; outcomes are in the order of the jobs. */
async function inTurn(workshops, jobs, work) {
  const outcomes = []
  let next = 0
  await Promise.all(
    workshops.map(async (workshop) => {
      while (next < jobs.length) {
        const at = next
        next += 1
        outcomes[at] = await work(workshop, jobs[at])
      }
    }),
  )
  return outcomes
}
