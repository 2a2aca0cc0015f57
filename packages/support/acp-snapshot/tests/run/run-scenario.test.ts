import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
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
})
