import * as fc from 'fast-check'
import { describe, it } from 'vitest'
import { steps, tempFolder } from './helpers/log.ts'
import { child, type Recorded, root, tree } from './helpers/tree.ts'

const folder = tempFolder()

/** A delegation tree by parents' indices, each session with how many calls it makes. */
interface Plan {
  readonly nodes: readonly {
    readonly parent: number
    readonly calls: number
    readonly starter: number
  }[]
  /** Decides who is made or calls next. */
  readonly order: readonly number[]
}

const plan: fc.Arbitrary<Plan> = fc.record({
  nodes: fc.array(fc.record({ parent: fc.nat(), calls: fc.nat(3), starter: fc.nat(4) }), {
    minLength: 1,
    maxLength: 9,
  }),
  order: fc.array(fc.nat(), { minLength: 60, maxLength: 60 }),
})

/** Gives the sessions of a plan their places: roots are numbered, children by their call. */
function places({ nodes }: Plan): { parent: number | undefined; fields: Placed }[] {
  const used = new Map<string, number>()
  let roots = 0
  return nodes.map(({ parent: pick, starter }, at) => {
    const parent = at === 0 || pick % 4 === 0 ? undefined : pick % at
    if (parent === undefined) return { parent, fields: { root: roots++ } }
    const key = `${parent}/${starter}`
    const index = used.get(key) ?? 0
    used.set(key, index + 1)
    const by = starter === 4 ? { plugin: 'cron' } : { call: starter >> 1 }
    return {
      parent,
      fields: { spawnedBy: { turn: 1, step: 1 + (starter & 1), ...by, index } },
    }
  })
}

type Placed = NonNullable<Parameters<Awaited<ReturnType<typeof tree>>['make']>[1]>

const answers = (at: number, calls: number): string[] =>
  Array.from({ length: calls }, (_, call) => `${at}.${call}`)

/** The recording: its times and the order of its files say nothing about the tree. */
function record(all: Plan): Recorded[] {
  const recorded = places(all).map(({ parent, fields }, at) => {
    const calls = steps(...answers(at, all.nodes[at]?.calls ?? 0))
    const head = { ...fields, createdAt: (all.order[at] ?? 0) % 5 }
    return parent === undefined
      ? root(`n${at}`, calls, head)
      : child(`n${at}`, `n${parent}`, calls, head)
  })
  const [primary, ...others] = recorded as [Recorded, ...Recorded[]]
  return [primary, ...others.sort((a, b) => a.header.createdAt! - b.header.createdAt!)]
}

/** Makes and calls in an order of the plan's choosing, a child no sooner than its parent. */
async function replay(all: Plan): Promise<string[][]> {
  const run = await tree(folder, record(all))
  const nodes = places(all)
  const made = new Map<number, string>()
  const said = nodes.map((): string[] => [])
  const turns = [...all.order]
  for (;;) {
    const ready = nodes.flatMap(({ parent }, at) => {
      if (!made.has(at)) return parent === undefined || made.has(parent) ? [at] : []
      return (said[at]?.length ?? 0) < (all.nodes[at]?.calls ?? 0) ? [at] : []
    })
    if (ready.length === 0) break
    const at = ready[(turns.shift() ?? 0) % ready.length] as number
    const id = made.get(at)
    if (id !== undefined) said[at]?.push(await run.say(id))
    else {
      const { parent, fields } = nodes[at] as (typeof nodes)[number]
      made.set(at, run.make(parent === undefined ? undefined : made.get(parent), fields))
    }
  }
  run.dispose()
  if (run.reported('left').some(({ left }) => left > 0)) throw new Error('calls are left over')
  return said
}

describe('random delegation trees', () => {
  it('case R2, R5: every session gets exactly its own answers, in any order of arrival', async () => {
    const property = fc.asyncProperty(plan, async (all) => {
      const expected = all.nodes.map(({ calls }, at) => answers(at, calls))
      const said = await replay(all)
      if (JSON.stringify(said) !== JSON.stringify(expected)) {
        throw new Error(`expected ${JSON.stringify(expected)}, got ${JSON.stringify(said)}`)
      }
    })
    const fromEnv = process.env.FC_SEED
    const seed = fromEnv === undefined ? Date.now() : Number(fromEnv)
    console.log(`random delegation trees: FC_SEED=${seed}`)
    await fc.assert(property, { numRuns: 60, seed })
  })
})
