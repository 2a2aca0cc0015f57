import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { patchedSources } from './patch.mjs'
import { bundled, readSource, Tree } from './tree.mjs'

/** Bounds a run whose agent hangs. A sound one takes a second. */
const SCENARIO_MS = 20_000

/** Bounds the harness: a run that hangs, its end, and the collecting of what is left. */
export const VERDICT_MS = 60_000

/** The committed scenarios, by name. */
export function scenarioNames(dir) {
  return readdirSync(dir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
}

/**
 * Copies of the scenarios, and of those that the guards start from.
 *
 * @param {string} from the committed scenarios
 * @param {string} to
 * @param {readonly import('./types.ts').Guard[]} guards
 */
export function layOut(from, to, guards) {
  const tier = join(to, 'tier')
  const doctored = join(to, 'guards')
  const place = (scenario, dir) => {
    mkdirSync(dir, { recursive: true })
    cpSync(join(from, scenario), dir, { recursive: true })
    const file = join(dir, 'input.json')
    const input = JSON.parse(readFileSync(file, 'utf8'))
    writeFileSync(file, JSON.stringify({ timeoutMs: SCENARIO_MS, ...input }))
  }
  for (const name of scenarioNames(from)) place(name, join(tier, name))
  for (const { name, scenario, doctor } of guards) {
    place(scenario, join(doctored, name))
    doctor?.(join(doctored, name))
  }
  return { tier, guards: doctored }
}

/**
 * What a package becomes with a fault in it.
 *
 * @param {string} root
 * @param {import('./types.ts').Fault} fault
 */
export function bundleOf(root, fault) {
  const texts = patchedSources(fault, (file) => readSource(root, fault.package, file))
  return bundled(root, fault.package, texts)
}

/** A worker's copies of the product: a sound one, and one for each agent that guards need. */
export class Workshop {
  /**
   * @param {string} root
   * @param {string} dir
   * @param {ReadonlyMap<string, { folder: string, files: ReadonlyMap<string, Uint8Array> }>} agents
   */
  constructor(root, dir, agents) {
    this.root = root
    this.dir = dir
    mkdirSync(join(dir, 'temp'), { recursive: true })
    this.base = new Tree(root, join(dir, 'base'))
    this.agents = new Map()
    for (const [name, { folder, files }] of agents) {
      const tree = new Tree(root, join(dir, `agent-${this.agents.size}`))
      tree.put(folder, files)
      this.agents.set(name, tree)
    }
  }

  get tempDir() {
    return join(this.dir, 'temp')
  }

  /** @param {string | undefined} agent the fault that it has */
  treeOf(agent) {
    const tree = agent === undefined ? this.base : this.agents.get(agent)
    if (tree === undefined) throw new Error(`no agent with the fault "${agent}"`)
    return tree
  }

  /**
   * Puts a package into the copies: a fault of an agent into the sound one alone, one of replay or
   * the harness into all.
   *
   * @param {string} folder
   * @param {ReadonlyMap<string, Uint8Array>} files
   */
  put(folder, files) {
    const everywhere = folder.startsWith('support/') ? this.agents.values() : []
    for (const tree of [this.base, ...everywhere]) tree.put(folder, files)
  }
}
