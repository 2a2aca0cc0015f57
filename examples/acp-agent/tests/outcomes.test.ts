import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { input, PROMPT, record, scenario } from './recording.ts'

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
