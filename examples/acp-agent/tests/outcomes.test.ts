import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  loadScenario,
  refreshScenario,
  renderVerdict,
  replayScenario,
  type TierOptions,
} from 'dsh-acp-snapshot'
import { describe, expect, it } from 'vitest'
import { AGENT, COMMITTED, input, PROMPT, record, scenario, tempDir } from './recording.ts'

const busy = (status: number) => ({ status, headers: { 'retry-after': '0' }, body: 'Busy.' })
const steps = (...ops: string[]) => ({
  steps: ops.map((op) => (op === 'prompt' ? { op, text: PROMPT } : { op })),
})

/** Records, which replays what it is about to write; gives the logs in order. */
async function recorded(script: object, rules: object[], logs: number): Promise<string[]> {
  const dir = await scenario({
    'input.json': input(script),
    'wire.json': JSON.stringify({ rules }),
  })
  await expect(record(dir)).resolves.toMatchObject({ status: 'recorded', problems: [] })
  const names = Array.from({ length: logs }, (_, n) => (n === 0 ? '' : `${n}.`))
  return Promise.all(names.map((n) => readFile(join(dir, `session.${n}jsonl`), 'utf8')))
}

/** How many events of a type a log holds. */
const count = (log: string | undefined, type: string): number =>
  (log?.split(`{"type":"${type}"`).length ?? 1) - 1

describe('case R3: a retried step', () => {
  it('counts attempt by attempt where its session is loaded again', async () => {
    const [log] = await recorded(
      steps('initialize', 'newSession', 'prompt', 'restart', 'initialize', 'loadSession', 'prompt'),
      [
        { when: { turn: 1, attempt: 1 }, answer: busy(429) },
        { when: { turn: 1, attempt: 2 }, answer: busy(503) },
        { when: { turn: 1, attempt: 3 }, answer: { text: 'First.' } },
        { when: { turn: 2, attempt: 1 }, answer: busy(503) },
        { when: { turn: 2, attempt: 2 }, answer: { text: 'Second.' } },
      ],
      1,
    )
    expect(count(log, 'llm/failure')).toBe(3)
    expect(count(log, 'llm/retry')).toBe(3)
  })

  it('of a parent is no call of its fork, which has attempts of its own', async () => {
    const fork = {
      name: 'subagent_fork',
      arguments: { description: 'Say it again', prompt: 'Say it again.' },
    }
    const [parent, child] = await recorded(
      steps('initialize', 'newSession', 'prompt', 'prompt'),
      [
        { when: { lineage: '0', turn: 1, attempt: 1 }, answer: busy(429) },
        { when: { lineage: '0', turn: 1, attempt: 2 }, answer: { text: 'Noted.' } },
        { when: { lineage: '0', turn: 2, step: 1 }, answer: { toolCalls: [fork] } },
        { when: { lineage: '0/2.1.0.0', attempt: 1 }, answer: busy(503) },
        { when: { lineage: '0/2.1.0.0', attempt: 2 }, answer: { text: 'Again.' } },
        { when: { lineage: '0', turn: 2, step: 2 }, answer: { text: 'It said: again.' } },
      ],
      2,
    )
    expect(count(parent, 'llm/failure')).toBe(1)
    // One inherited, one its own.
    expect(count(child, 'llm/failure')).toBe(2)
    expect(child).toContain('"seedLength":')
  })
})

describe('what a log says of outcomes', () => {
  const agent = { command: [process.execPath, AGENT] } as const
  const options: TierOptions = { agent, keepFailed: false }
  const copyOf = async (name: string): Promise<string> => {
    const dir = join(tempDir(), name)
    await cp(join(COMMITTED, name), dir, { recursive: true })
    return dir
  }
  const replay = async (dir: string, how = options) =>
    (await replayScenario(await loadScenario(dir), how)).verdict

  it('case R12: is enough for a child that streams while its parent is cancelled', async () => {
    const dir = await copyOf('parent-cancelled')
    await rm(join(dir, 'replay.override.1.json'))
    const verdict = await replay(dir)
    expect(verdict.status, renderVerdict(verdict)).toBe('passed')
  })

  it('case R3: is red as an unrecorded retry where it has one attempt less', async () => {
    const dir = await copyOf('retry-exhausted')
    const file = join(dir, 'session.jsonl')
    const lines = (await readFile(file, 'utf8')).split('\n')
    const last = lines.findLastIndex((line) => line.includes('"llm/failure"'))
    await writeFile(file, lines.toSpliced(last, 1).join('\n'))
    const verdict = await replay(dir)
    expect(verdict.findings[0], renderVerdict(verdict)).toMatchObject({
      kind: 'unrecorded-retry',
      lane: 0,
      call: 3,
    })
    expect(verdict.remedy).toBe('record')
  })

  it('case R3: is red where the agent neither logs nor retries', async () => {
    const quiet = { ...agent, env: { DSH_SNAPSHOT_CONFORMANCE: '1' } }
    const verdict = await replay(await copyOf('retry-429'), { ...options, agent: quiet })
    expect(verdict.status).toBe('failed')
    expect(verdict.findings.map(({ kind }) => kind)).toContain('missing-retry')
  })

  it('is written by a refresh where the log of an older agent lacks it', async () => {
    const dir = await copyOf('cancel')
    const file = join(dir, 'session.jsonl')
    const whole = await readFile(file, 'utf8')
    await writeFile(file, whole.replace(/.*"llm\/failure".*\n/, ''))
    const red = await replay(dir)
    expect(red.findings[0], renderVerdict(red)).toMatchObject({ kind: 'log-differs' })
    expect(red.remedy).toBe('refresh')
    const { written } = await refreshScenario(await loadScenario(dir), options)
    expect(written).toEqual(['session.jsonl'])
    expect(await readFile(file, 'utf8')).toBe(whole)
  })
})
