import { fileURLToPath } from 'node:url'
import type { ReportRecord } from 'dsh-llm-replay'
import { expect, it } from 'vitest'
import { type Fault, patchedCopy } from '../../../../scripts/lib/patched-copy.ts'
import * as original from '../src/index.ts'
import type { Verdict } from '../src/verdict/types.ts'
import { header, jsonl, tempTree } from './temp.ts'
import { runResult, scenario } from './verdict/run-result.ts'

type Harness = Pick<typeof original, 'harvestSessionLogs' | 'judge' | 'normaliseRun'>

const src = fileURLToPath(new URL('../src', import.meta.url))
const ROOT = '00000000-aaaa-4aaa-8aaa-000000000000'
const CHILD = '11111111-aaaa-4aaa-8aaa-111111111111'
const FILES = ['session.jsonl', 'session.1.jsonl']

interface Live {
  /** Which session the client is told that the child's answer came from. */
  readonly told: string
  /** What the child has in its log. */
  readonly answer: string
}
const RIGHT: Live = { told: ROOT, answer: 'four' }

/** A parent and its child, as their agent left them. */
function liveRun(harvested: Awaited<ReturnType<Harness['harvestSessionLogs']>>, { told }: Live) {
  const report = FILES.flatMap((file, lane): ReportRecord[] => {
    const session = lane === 0 ? ROOT : CHILD
    return [
      { event: 'loaded', lane, file, calls: 1 },
      { event: 'bound', lane, session, rule: 'lineage' },
      { event: 'served', lane, session, call: 1 },
      { event: 'left', lane, served: 1, left: 0 },
    ]
  })
  const said = [
    { id: 1, result: { sessionId: ROOT } },
    { method: 'session/update', params: { sessionId: told } },
  ]
  return runResult({
    report,
    sessionLogs: harvested,
    sessionIds: [ROOT],
    stdout: said.map((message) => JSON.stringify(message)),
  })
}

/** Records a run that was right with the harness, and has it judge another. */
async function judged(harness: Harness, recorded: Harness, other: Live): Promise<Verdict> {
  const run = async (by: Harness, live: Live) => {
    const message = { type: 'assistant/message', seq: 0, time: 0, data: { text: live.answer } }
    const sessions = tempTree({
      'p/a/session.jsonl': jsonl(header(ROOT, { cwd: '/run/cwd', root: 0 })),
      'p/b/session.jsonl': jsonl(header(CHILD, { parentSession: ROOT, createdAt: 1 }), message),
    })
    return liveRun(await by.harvestSessionLogs(sessions), live)
  }
  const normal = recorded.normaliseRun(await run(recorded, RIGHT))
  const expected = {
    logs: normal.logs.map(({ text }, index) => ({ name: FILES[index] as string, text })),
    lanes: FILES.map((file) => ({ file, calls: 1 })),
    stdout: normal.stdout.map((line) => `${line}\n`).join(''),
  }
  const logFiles = FILES.map((file) => `/s/${file}`)
  return harness.judge(scenario({ logFiles }), expected, await run(harness, other))
}

interface Guard {
  readonly name: string
  readonly fault: Fault
  readonly live: Live
  readonly finding: object
}

const GUARDS: readonly Guard[] = [
  {
    name: 'only the first log is harvested (case R9)',
    fault: {
      file: 'harvest/harvest.ts',
      find: '[...orderSessions(found), ...refused]',
      replace: '[...orderSessions(found).slice(0, 1), ...refused]',
    },
    live: { ...RIGHT, answer: 'five' },
    finding: { kind: 'log-differs', file: 'session.1.jsonl' },
  },
  {
    name: 'all ids have one token (case R13)',
    fault: {
      file: 'normalise/tokens.ts',
      find: "return number === 0 ? '{{session}}' : `{{session.${number}}}`",
      replace: "return number === 0 ? '{{session}}' : '{{session}}'",
    },
    live: { ...RIGHT, told: CHILD },
    finding: { kind: 'stdout-differs', difference: { line: 2 } },
  },
]

it.each(GUARDS)('would see that $name', async ({ fault, live, finding }) => {
  const green = await judged(original, original, RIGHT)
  expect(green.findings).toEqual([])
  const red = await judged(original, original, live)
  expect(red.findings).toMatchObject([finding])
  const copy = patchedCopy(src, fault)
  try {
    const patched = (await import(copy.index)) as Harness
    // A harness with the fault takes the wrong run for the right one, and its own recording too.
    expect((await judged(patched, patched, live)).status).toBe('passed')
    // What it would have recorded does not pass for a recording of ours.
    expect((await judged(original, patched, RIGHT)).status).toBe('failed')
  } finally {
    copy.remove()
  }
})
