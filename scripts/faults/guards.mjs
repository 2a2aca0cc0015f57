import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  all,
  first,
  input,
  lines,
  readLines,
  text,
  without,
  withCallMore,
  withoutLastCall,
  writeLines,
} from './doctor.mjs'

/** Headers as they were before sessions had places. */
const withoutPlaces = (...files) =>
  all(
    ...files.map((file) =>
      lines(file, ([header, ...events]) => {
        const { root: _root, spawnedBy: _spawnedBy, ...rest } = header
        return [rest, ...events]
      }),
    ),
  )

/** A recording as it comes from the store: ids, times and paths of a machine. */
function raw(dir) {
  const ids = ['0b6bd1a0-6c5a-4b1c-8a8e-0d6f4f0f0a01', '0b6bd1a0-6c5a-4b1c-8a8e-0d6f4f0f0a02']
  for (const file of ['session.jsonl', 'session.1.jsonl']) {
    const [header, ...events] = readLines(dir, file)
    const all = JSON.stringify([
      { ...header, createdAt: 1_750_000_000_000 + header.createdAt },
      ...events,
    ])
      .replaceAll('{{session.1}}', ids[1])
      .replaceAll('{{session}}', ids[0])
      .replaceAll('{{cwd}}', '/recorded/place')
      .replaceAll('"time":0', '"time":1750000000123')
    writeLines(dir, file, JSON.parse(all))
  }
}

/** @type {import('./types.ts').Guard[]} */
export const GUARDS = [
  { name: 'raw-recording', scenario: 'subagent-spawn', doctor: raw, expect: 'passed' },
  {
    name: 'result-changed',
    scenario: 'tool-call-turn',
    doctor: lines('session.jsonl', (list) =>
      first(list, 'tool/result', ({ data }) => (data.content[0].text = 'steady')),
    ),
    expect: 'log-differs:tool/result',
  },
  {
    name: 'event-too-many',
    scenario: 'text-turn',
    doctor: lines('session.jsonl', (list) => {
      const last = list.at(-1)
      return [...list, { ...last, seq: last.seq + 1 }]
    }),
    expect: 'log-differs:turn/end',
  },
  {
    name: 'usage-changed',
    scenario: 'text-turn',
    doctor: lines('session.jsonl', (list) => {
      const usage = list.find(({ data }) => data?.chunk?.type === 'usage')
      usage.data.chunk.usage.outputTokens += 1
      return list
    }),
    expect: 'log-differs:assistant/message',
  },
  {
    name: 'packed-row-changed',
    scenario: 'packed-chunks',
    doctor: lines('session.jsonl', (list) => {
      const row = list.find(({ type }) => type === 'text-chunks')
      row.data.texts[0] = `${row.data.texts[0]}!`
      return list
    }),
    expect: 'stdout-differs',
  },
  {
    name: 'transcript-word',
    scenario: 'fs-edit',
    doctor: text('stdout.expected.jsonl', '"status":"completed"', '"status":"failed"'),
    expect: 'stdout-differs',
  },
  {
    name: 'transcript-line-gone',
    scenario: 'text-turn',
    doctor: lines('stdout.expected.jsonl', (list) => list.slice(0, -1)),
    expect: 'stdout-differs',
  },
  {
    name: 'ids-crossed',
    scenario: 'two-sessions',
    doctor: lines('stdout.expected.jsonl', (list) => {
      const last = list.findLast(({ params }) => params?.sessionId === '{{session.1}}')
      last.params.sessionId = '{{session}}'
      return list
    }),
    expect: 'stdout-differs',
  },
  {
    name: 'header-changed',
    scenario: 'header-pin',
    doctor: text('system.expected.txt', 'coding agent', 'careful agent'),
    expect: 'header-differs',
  },
  {
    name: 'child-gone',
    scenario: 'subagent-multi',
    doctor: without('session.2.jsonl'),
    expect: 'unrecorded-session',
  },
  {
    name: 'child-too-many',
    scenario: 'subagent-spawn',
    doctor(dir) {
      const [header, ...events] = readLines(dir, 'session.1.jsonl')
      const spawnedBy = { ...header.spawnedBy, index: 1 }
      writeLines(dir, 'session.2.jsonl', [
        { ...header, id: '{{session.2}}', createdAt: 2, spawnedBy },
        ...events,
      ])
    },
    expect: 'leftover',
  },
  {
    name: 'children-swapped',
    scenario: 'subagent-multi',
    doctor(dir) {
      const [one, two] = ['session.1.jsonl', 'session.2.jsonl'].map((file) => readLines(dir, file))
      writeLines(dir, 'session.1.jsonl', [one[0], ...two.slice(1)])
      writeLines(dir, 'session.2.jsonl', [two[0], ...one.slice(1)])
    },
    expect: 'log-differs:tool/result',
  },
  {
    name: 'call-gone',
    scenario: 'tool-call-turn',
    doctor: lines('session.jsonl', withoutLastCall),
    expect: 'extra-call',
  },
  {
    name: 'call-too-many',
    scenario: 'text-turn',
    doctor: lines('session.jsonl', withCallMore),
    expect: 'leftover',
  },
  {
    name: 'sidecar-left',
    scenario: 'error-finish',
    doctor(dir) {
      const file = join(dir, 'replay.override.json')
      const entries = JSON.parse(readFileSync(file, 'utf8'))
      writeFileSync(file, JSON.stringify([...entries, entries.at(-1)]))
    },
    expect: 'leftover',
  },
  {
    name: 'call-unfinished',
    scenario: 'text-turn',
    doctor: lines('session.jsonl', (list) =>
      list.filter(({ data }) => data?.chunk?.type !== 'finish'),
    ),
    expect: 'not-loaded',
  },
  {
    name: 'retry-missing',
    scenario: 'tool-call-turn',
    doctor: lines('session.jsonl', (list) =>
      list.map((line) =>
        line.type === 'assistant/chunk' ? { ...line, data: { ...line.data, step: 1 } } : line,
      ),
    ),
    expect: 'missing-retry',
  },
  {
    name: 'no-places',
    scenario: 'subagent-multi',
    doctor: withoutPlaces('session.jsonl', 'session.1.jsonl', 'session.2.jsonl'),
    expect: 'log-differs:session',
  },
  {
    name: 'empty-lane',
    scenario: 'subagent-multi',
    doctor: all(
      withoutPlaces('session.jsonl', 'session.1.jsonl', 'session.2.jsonl'),
      lines('session.1.jsonl', (list) => list.filter(({ type }) => type !== 'assistant/chunk')),
    ),
    expect: 'unrecorded-session',
  },
  {
    name: 'error-expected',
    scenario: 'text-turn',
    doctor: input(({ steps }) => ({
      steps: steps.map((step) =>
        step.op === 'prompt' ? { ...step, op: 'promptExpectError' } : step,
      ),
    })),
    expect: 'fault:step-failed',
  },
  {
    name: 'tool-recorded',
    scenario: 'tool-call-turn',
    doctor: all(
      input(() => ({ tools: { bash: 'recorded' } })),
      lines('session.jsonl', (list) =>
        first(list, 'tool/result', ({ data }) => (data.content[0].text = 'said before')),
      ),
      text('stdout.expected.jsonl', '"text":"ready"', '"text":"said before"'),
    ),
    expect: 'passed',
  },
  {
    name: 'tool-arguments',
    scenario: 'tool-call-turn',
    doctor: all(
      input(() => ({ tools: { bash: 'recorded' } })),
      lines('session.jsonl', (list) =>
        first(list, 'tool/call', ({ data }) => (data.arguments = '{"command":"printf other"}')),
      ),
    ),
    expect: 'refused:TOOL_ARGUMENTS_DIFFER',
  },
  {
    name: 'tool-refused',
    scenario: 'tool-call-turn',
    doctor: input(() => ({ tools: { bash: 'refuse' } })),
    expect: 'refused:TOOL_REFUSED',
  },
  {
    name: 'tool-unknown',
    scenario: 'text-turn',
    doctor: input(() => ({ tools: { bsh: 'run' } })),
    expect: 'refused:TOOL_NOT_OFFERED',
  },
  {
    name: 'line-not-protocol',
    scenario: 'text-turn',
    agent: 'print a line that is no protocol',
    expect: 'fault:protocol-line',
  },
  {
    name: 'key-twice',
    scenario: 'text-turn',
    agent: 'say one key twice in a message',
    expect: 'line-form',
  },
  {
    name: 'exit-code',
    scenario: 'text-turn',
    agent: 'exit with the wrong code',
    expect: 'fault:agent-exited',
  },
  {
    name: 'died-in-a-turn',
    scenario: 'text-turn',
    agent: 'die in the middle of a turn',
    expect: 'fault:agent-exited',
  },
  {
    name: 'no-clean-up',
    scenario: 'text-turn',
    agent: 'leave without clean-up',
    expect: 'report-incomplete',
  },
  {
    name: 'process-left',
    scenario: 'text-turn',
    agent: 'let a process outlive the agent',
    expect: 'fault:descendants-left',
  },
  {
    name: 'stray-file',
    scenario: 'text-turn',
    agent: 'leave a stray file among the logs',
    expect: 'log-unreadable',
  },
  {
    name: 'no-answer',
    scenario: 'text-turn',
    doctor: input(() => ({ timeoutMs: 10_000 })),
    agent: 'never answer a prompt',
    expect: 'fault:timeout',
  },
  {
    name: 'retry-not-recorded',
    scenario: 'tool-call-turn',
    agent: 'double a call',
    expect: 'unrecorded-retry',
  },
  {
    name: 'anonymous',
    scenario: 'tool-call-turn',
    agent: 'call without a session id',
    expect: 'passed',
  },
  {
    name: 'anonymous-child',
    scenario: 'subagent-spawn',
    agent: 'call without a session id',
    expect: 'extra-call',
  },
  {
    name: 'twin-places',
    scenario: 'subagent-multi',
    agent: 'give two children one place',
    expect: 'wrong-lane',
  },
]
