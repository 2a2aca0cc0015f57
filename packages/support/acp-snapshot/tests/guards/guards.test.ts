import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { type Fault, patchedCopy } from '../../../../../scripts/lib/patched-copy.ts'
import * as original from '../../src/index.ts'
import { header, jsonl, tempTree } from '../temp.ts'

type Snapshot = typeof original

const src = fileURLToPath(new URL('../../src', import.meta.url))
const [A = '', B = ''] = ['a', 'b'].map((letter) => `00000000-0000-4000-8000-00000000000${letter}`)

/** What a fault would have to change: the logs that are found, and whether crossed children compare. */
async function harvested({ harvestSessionLogs }: Snapshot): Promise<unknown> {
  const root = tempTree({
    'p/a/session.jsonl': jsonl(header('p')),
    'p/b/session.jsonl': jsonl(header('c', { parentSession: 'p' })),
  })
  return (await harvestSessionLogs(root)).map(({ path }) => path)
}

function crossedCompareEqual({ normaliseOutputs }: Snapshot): unknown {
  const outputs = (first: unknown, second: unknown): unknown => {
    const said = { type: 'tool/result', seq: 0, time: 0, data: { first, second } }
    const logs = [
      jsonl(header('p'), said),
      ...[A, B].map((id) => jsonl(header(id, { parentSession: 'p' }))),
    ]
    return normaliseOutputs({ stdout: [], logs }, { cwdAliases: [], sessionIds: ['p', A, B] })
  }
  return JSON.stringify(outputs(A, B)) === JSON.stringify(outputs(B, A))
}

const GUARDS: readonly {
  readonly name: string
  readonly fault: Fault
  readonly look: (snapshot: Snapshot) => unknown
  readonly right: unknown
  readonly wrong: unknown
}[] = [
  {
    name: 'only the first log is harvested (case R2)',
    fault: {
      file: 'harvest/harvest.ts',
      find: '[...orderSessions(found), ...refused]',
      replace: '[...orderSessions(found), ...refused].slice(0, 1)',
    },
    look: harvested,
    right: ['p/a/session.jsonl', 'p/b/session.jsonl'],
    wrong: ['p/a/session.jsonl'],
  },
  {
    name: 'all ids have one token (case R13)',
    fault: {
      file: 'normalise/tokens.ts',
      find: "number === 0 ? '{{session}}' : `{{session.${number}}}`",
      replace: "'{{session}}'",
    },
    look: crossedCompareEqual,
    right: false,
    wrong: true,
  },
]

it.each(GUARDS)('would see that $name', async ({ fault, look, right, wrong }) => {
  expect(await look(original)).toEqual(right)
  const copy = patchedCopy(src, fault)
  try {
    expect(await look((await import(copy.index)) as Snapshot)).toEqual(wrong)
  } finally {
    copy.remove()
  }
})
