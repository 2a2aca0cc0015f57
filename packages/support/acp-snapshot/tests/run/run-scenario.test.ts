import { getEventListeners } from 'node:events'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type Clock, systemClock } from 'dsh-brand'
import { describe, expect, test } from 'vitest'
import type { ProcessTable } from '../../src/run/process-table.ts'
import { hello, open, run, scenario, useTempDir } from './harness.ts'

const tempRoot = useTempDir()

describe('runScenario', () => {
  test('captures what the official agent says and writes', async () => {
    const result = await run({
      agent: ['official.mjs'],
      scenario: scenario([...open, hello]),
      tempRoot: tempRoot(),
    })
    expect(result.faults).toEqual([])
    expect(result.stdout.map((line) => JSON.parse(line).method ?? 'answer')).toEqual([
      'answer',
      'answer',
      'session/update',
      'answer',
    ])
    expect(result.sessionIds).toHaveLength(1)
    expect(result.sessionLogs).toEqual([
      {
        path: `${result.sessionIds[0]}.jsonl`,
        text: `{"cwd":${JSON.stringify(result.folder.cwd)}}\n`,
      },
    ])
    expect(await readFile(result.folder.stdoutFile, 'utf8')).toBe(`${result.stdout.join('\n')}\n`)
    expect(result.stderrTail).toBe('meta null\n')
    expect(await readFile(result.folder.stderrFile, 'utf8')).toBe('meta null\n')
    await result.dispose()
    expect(await readdir(tempRoot())).toEqual([])
  })

  test('says what ran, where, and for how long', async () => {
    let time = 100.4
    const { signal } = new AbortController()
    const clock: Clock = { ...systemClock, monotonic: () => (time += 0.5) }
    const result = await run({
      agent: ['plain.mjs'],
      scenario: scenario(open),
      tempRoot: tempRoot(),
      options: { mode: 'record', signal },
      dependencies: { clock },
    })
    expect(getEventListeners(signal, 'abort')).toEqual([])
    expect(result).toMatchObject({ scenario: 'example', mode: 'record', report: [], faults: [] })
    expect(result.cwdAliases).toEqual([result.folder.cwd])
    expect(Number.isInteger(result.durationMs)).toBe(true)
    expect(result.durationMs).toBeGreaterThan(0)
    expect(result.durationMs).toBeLessThan(50)
  })

  test('the workspace is in the cwd', async () => {
    const workspaceDir = path.join(tempRoot(), 'workspace')
    await mkdir(workspaceDir)
    await writeFile(path.join(workspaceDir, 'a.txt'), 'a')
    const result = await run({
      agent: ['plain.mjs'],
      scenario: scenario(open, {}, { workspaceDir }),
      tempRoot: tempRoot(),
    })
    expect(await readdir(result.folder.cwd)).toEqual(['a.txt'])
  })

  test('the report is read, and is the same file over restarts', async () => {
    const ready = (call: number) =>
      `report:${JSON.stringify({ event: 'ready', lane: 0, session: null, call })}|end`
    const result = await run({
      agent: ['cancels.mjs'],
      scenario: scenario([
        ...open,
        { op: 'prompt', text: ready(1) },
        { op: 'restart' },
        ...open,
        { op: 'prompt', text: ready(2) },
      ]),
      tempRoot: tempRoot(),
    })
    expect(result.faults).toEqual([])
    expect(result.report).toEqual([
      { event: 'ready', lane: 0, session: null, call: 1 },
      { event: 'ready', lane: 0, session: null, call: 2 },
    ])
  })

  test('case R7: a report that cannot be read is a fault, though the agent was content', async () => {
    const result = await run({
      agent: ['cancels.mjs'],
      scenario: scenario([...open, { op: 'prompt', text: 'report:nonsense|end' }]),
      tempRoot: tempRoot(),
    })
    expect(result.faults).toEqual([
      { kind: 'report-unreadable', message: expect.stringContaining('line 1 is not a record') },
    ])
    expect(result.report).toEqual([])
  })

  test('logs that cannot be harvested are a fault', async () => {
    const result = await run({
      agent: ['plain.mjs'],
      scenario: scenario(open),
      tempRoot: tempRoot(),
      dependencies: { harvest: () => Promise.reject(new Error('two primaries')) },
    })
    expect(result.faults).toEqual([{ kind: 'harvest-failed', message: 'two primaries' }])
    expect(result.sessionLogs).toEqual([])
    expect(result.stdout).toHaveLength(2)
  })

  test('rejects where the harness cannot work, and leaves nothing behind', async () => {
    const broken: ProcessTable = {
      list: () => Promise.reject(new Error('no processes')),
      inspect: async () => undefined,
      kill: () => {},
    }
    const setup = { agent: ['plain.mjs'], scenario: scenario(open), tempRoot: tempRoot() } as const
    await expect(run({ ...setup, dependencies: { processes: broken } })).rejects.toThrow(
      'no processes',
    )
    expect(await readdir(tempRoot())).toEqual([])
    let lists = 0
    const breaksLater: ProcessTable = {
      ...broken,
      list: async () => {
        lists += 1
        if (lists === 1) return []
        throw new Error('no more processes')
      },
    }
    await expect(run({ ...setup, dependencies: { processes: breaksLater } })).rejects.toThrow(
      'no more processes',
    )
    const hangPoints = () => Promise.reject(new Error('no scripts'))
    await expect(run({ ...setup, dependencies: { hangPoints } })).rejects.toThrow('no scripts')
    expect(await readdir(tempRoot())).toEqual([])
  })

  test('two runs at once have their own everything', async () => {
    const start = (text: string) =>
      run({
        agent: ['official.mjs'],
        scenario: scenario([...open, { op: 'prompt', text }]),
        tempRoot: tempRoot(),
      })
    const results = await Promise.all([start('one'), start('two')])
    results.forEach((result, index) => {
      expect(result.faults).toEqual([])
      expect(result.sessionLogs).toHaveLength(1)
      expect(result.stdout[2]).toContain(`you said ${['one', 'two'][index]}`)
    })
  })
})
