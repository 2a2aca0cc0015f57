import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isDelicate, scenariosIn } from '../../steady/delicate.mjs'
import { Tally } from '../../steady/tally.mjs'

const input = (...ops: string[]) => ({ steps: ops.map((op) => ({ op })) })

describe('delicate scenarios', () => {
  it.each([
    [input('prompt'), ['session.jsonl', 'input.json'], false],
    [input('prompt'), ['session.jsonl', 'session.1.jsonl'], true],
    [input('prompt', 'promptAndCancel'), ['session.jsonl'], true],
    [input('prompt', 'cancel'), ['session.jsonl'], true],
    [input('prompt'), ['session.jsonl', 'session.x.jsonl', 'my-session.1.jsonl'], false],
  ])('%j with %j: %s', (given, files, expected) => {
    expect(isDelicate(given, files)).toBe(expected)
  })

  it('are found below a folder by what they are', () => {
    const dir = mkdtempSync(join(tmpdir(), 'dsh-steady-'))
    try {
      const scenarios: [string, ReturnType<typeof input>, string[]][] = [
        ['b', input('prompt'), ['session.jsonl', 'session.1.jsonl']],
        ['a', input('prompt'), ['session.jsonl']],
      ]
      for (const [name, given, files] of scenarios) {
        mkdirSync(join(dir, name))
        writeFileSync(join(dir, name, 'input.json'), JSON.stringify(given))
        for (const file of files) writeFileSync(join(dir, name, file), '')
      }
      writeFileSync(join(dir, 'notes.md'), '')
      expect(scenariosIn(dir)).toEqual({ all: ['a', 'b'], delicate: ['b'] })
    } finally {
      rmSync(dir, { recursive: true, force: true })
    }
  })
})

describe('the tally', () => {
  it('counts, and keeps the first failure', () => {
    const tally = new Tally()
    const red = (scenario: string, runDir: string) =>
      JSON.stringify({ scenario, status: 'failed', runDir })
    expect(tally.take('{"scenario":"a","status":"passed"}', 1)).toBeUndefined()
    expect(tally.words()).toEqual(['1 runs, 0 failed'])
    const first = tally.take(red('b', '/one'), 2)
    expect(first).toMatchObject({ scenario: 'b', round: 2, runDir: '/one' })
    tally.take(red('a', '/two'), 3)
    tally.take(red('b', '/three'), 3)
    expect(tally.first).toBe(first)
    expect(tally.words()).toEqual([
      '4 runs, 3 failed',
      '  a: 1',
      '  b: 2',
      'the first was b in round 2, kept in /one:',
      `  ${red('b', '/one')}`,
    ])
  })

  it('takes a scenario that could not be read for a failure', () => {
    const tally = new Tally()
    tally.take('{"scenario":"a","status":"failed","problems":["x"]}', 1)
    expect(tally.words()[2]).toBe('the first was a in round 1, kept in no folder:')
  })
})
