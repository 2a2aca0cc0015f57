import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { type Fault, patchedCopy } from '../../../../scripts/lib/patched-copy.ts'
import * as original from '../src/index.ts'
import { call, collect } from './helpers/agent.ts'
import { answer, steps, tempFolder, textOf } from './helpers/log.ts'
import { child, place, type Recorded, root, tree } from './helpers/tree.ts'

type Replay = Pick<typeof original, 'installLlmReplay'>
type Run = Awaited<ReturnType<typeof tree>>

const folder = tempFolder()
const src = fileURLToPath(new URL('../src', import.meta.url))

interface Guard {
  readonly name: string
  readonly fault: Fault
  readonly recorded: readonly Recorded[]
  /** What sessions are told, in the order in which they ask. */
  readonly ask: (run: Run) => Promise<string[]>
  readonly right: readonly unknown[]
  /** With the fault. */
  readonly wrong: readonly unknown[]
}

const said = async (...asked: (() => Promise<string>)[]): Promise<string[]> => {
  const texts: string[] = []
  for (const ask of asked) texts.push(await ask().catch((error: Error) => error.message))
  return texts
}
const refused = (text: string): unknown => expect.stringContaining(text)
const at = (index: number) => ({ spawnedBy: place({ call: index }) })
const siblings = [
  root('r', steps('p1', 'p2'), { root: 0 }),
  child('a', 'r', steps('a1'), at(0)),
  child('b', 'r', steps('b1'), at(1)),
]

const GUARDS: readonly Guard[] = [
  {
    name: 'one cursor for all sessions (case R2)',
    fault: {
      file: 'lanes.ts',
      find: 'known ?? this.claims.claim(sessionId)',
      replace: 'this.claims.get(undefined) ?? this.claims.claim(undefined)',
    },
    recorded: siblings,
    ask: (run) => {
      const p = run.make(undefined, { root: 0 })
      const a = run.make(p, at(0))
      return said(
        () => run.say(p),
        () => run.say(a),
        () => run.say(p),
      )
    },
    right: ['p1', 'a1', 'p2'],
    wrong: ['p1', 'p2', refused('script exhausted')],
  },
  {
    name: 'a fork answers with what it inherited',
    fault: {
      file: 'derive.ts',
      find: 'seedLength === 0 ? events : events.filter((event) => event.seq >= seedLength)',
      replace: 'events',
    },
    recorded: [
      root('r', steps('p1'), { root: 0 }),
      child('f', 'r', [...steps('p1'), { turn: 2, chunks: answer('own') }], {
        ...at(0),
        seedLength: 5,
      }),
    ],
    ask: (run) => {
      const f = run.make(run.make(undefined, { root: 0 }), at(0))
      return said(() => run.say(f))
    },
    right: ['own'],
    wrong: ['p1'],
  },
  {
    name: 'two children have one another’s scripts (case R5)',
    fault: {
      file: 'claims.ts',
      find: 'const script = this.scripts[lane] as SessionScript',
      replace: 'const script = this.scripts[[0, 2, 1][lane] as number] as SessionScript',
    },
    recorded: siblings,
    ask: (run) => {
      const p = run.make(undefined, { root: 0 })
      const [a, b] = [run.make(p, at(0)), run.make(p, at(1))]
      return said(
        () => run.say(a),
        () => run.say(b),
      )
    },
    right: ['a1', 'b1'],
    wrong: ['b1', 'a1'],
  },
  {
    name: 'the order of calls decides where places do (case R5)',
    fault: {
      file: 'binder.ts',
      find: 'const lane = this.placedLane(caller)',
      replace: 'const lane: number | undefined = undefined',
    },
    recorded: siblings,
    ask: (run) => {
      const p = run.make()
      const [a, b] = [run.make(p, at(0)), run.make(p, at(1))]
      return said(
        () => run.say(p),
        () => run.say(b),
        () => run.say(a),
      )
    },
    right: ['p1', 'b1', 'a1'],
    wrong: ['p1', refused('unrecorded session'), refused('unrecorded session')],
  },
  {
    name: 'a call without session id takes the next free script',
    fault: {
      file: 'claims.ts',
      find: 'return this.keep(undefined, 0, 0)',
      replace:
        'return this.keep(undefined, this.states().findIndex(({ holder }) => holder === undefined), 0)',
    },
    recorded: siblings,
    ask: (run) => {
      const p = run.make(undefined, { root: 0 })
      return said(
        () => run.say(p),
        async () => textOf(await collect(call(run.ctx))),
      )
    },
    right: ['p1', 'p1'],
    wrong: ['p1', 'a1'],
  },
  {
    name: 'a script without calls is claimed',
    fault: {
      file: 'binder.ts',
      find: 'return this.lane(lane).calls > 0 && !this.holders.has(lane)',
      replace: 'return !this.holders.has(lane)',
    },
    recorded: [
      root('r', steps('p1')),
      child('e', 'r', []),
      child('k', 'r', steps('k1'), { createdAt: 1 }),
    ],
    ask: (run) => {
      const p = run.make()
      const k = run.make(p)
      return said(
        () => run.say(p),
        () => run.say(k),
      )
    },
    right: ['p1', 'k1'],
    wrong: ['p1', refused('script exhausted')],
  },
  {
    name: 'a lane goes on after a refusal (case R7)',
    fault: {
      file: 'poison.ts',
      find: 'if (!refused.has(key)) refused.set(key, message)',
      replace: 'if (!refused.has(key)) refused.clear()',
    },
    recorded: siblings,
    ask: (run) => {
      const p = run.make(undefined, { root: 0 })
      const summary = call(run.ctx, p, { purpose: 'compaction' })
      return said(
        async () => textOf(await collect(summary)),
        () => run.say(p),
      )
    },
    right: [refused('for "compaction"'), refused('lane poisoned')],
    wrong: [refused('for "compaction"'), 'p1'],
  },
]

it.each(GUARDS)('would see that $name', async ({ fault, recorded, ask, right, wrong }) => {
  const told = async (replay: Replay): Promise<string[]> =>
    ask(await tree(folder, recorded, {}, replay))
  expect(await told(original)).toEqual(right)
  const copy = patchedCopy(src, fault)
  try {
    const patched = await told((await import(copy.index)) as Replay)
    expect(patched).toEqual(wrong)
    expect(patched).not.toEqual(right)
  } finally {
    copy.remove()
  }
})

it('a fault that does not fit, or fits twice, is an error', () => {
  const fault = { file: 'lanes.ts', replace: '' }
  expect(() => patchedCopy(src, { ...fault, find: 'no such text' })).toThrow(
    'has 0 times, not once',
  )
  expect(() => patchedCopy(src, { ...fault, find: 'this.report' })).toThrow(
    /has \d+ times, not once/,
  )
})
