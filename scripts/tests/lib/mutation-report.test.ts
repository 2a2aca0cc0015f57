import { describe, expect, test } from 'vitest'
import { describeReport, excerpt, mutantsOf, scoreOf } from '../../lib/mutation-report.mjs'

const at = (line: number, column: number, endLine: number, endColumn: number) => ({
  start: { line, column },
  end: { line: endLine, column: endColumn },
})

const mutant = (status: string, location = at(1, 1, 1, 2), replacement = 'x') => ({
  mutatorName: 'M',
  status,
  replacement,
  location,
})

test('excerpt cuts within one line and over several', () => {
  const source = 'abc\ndef\nghi'
  expect(excerpt(source, at(1, 2, 1, 3))).toBe('b')
  expect(excerpt(source, at(1, 3, 3, 2))).toBe('c\ndef\ng')
  expect(excerpt(source, at(9, 1, 9, 2))).toBe('')
})

describe('scoreOf', () => {
  test.each<[string[], number]>([
    [['Killed', 'Timeout', 'Survived', 'NoCoverage'], 50],
    [['Killed', 'Killed', 'Killed', 'Survived'], 75],
    [['Killed', 'CompileError', 'Ignored', 'RuntimeError'], 100],
    [['Ignored'], 100],
    [['NoCoverage'], 0],
  ])('%j', (statuses, score) => {
    expect(scoreOf(statuses.map((status) => mutant(status)))).toBe(score)
  })
})

describe('describeReport', () => {
  test('gives scores, survivors in order of their place, and the total last', () => {
    const source = 'const a = 1\nif (a) {\n  run()\n}'
    const lines = describeReport({
      files: {
        'b.ts': { source, mutants: [mutant('Killed')] },
        'a.ts': {
          source,
          mutants: [
            mutant('NoCoverage', at(2, 8, 4, 2), '{}'),
            mutant('Survived', at(1, 11, 1, 12), '2'),
            mutant('Killed'),
            mutant('Ignored'),
          ],
        },
      },
    })
    expect(lines).toEqual([
      '33.33 % (1 of 3) a.ts',
      '100.00 % (1 of 1) b.ts',
      'Survivors:',
      '  a.ts:1:11 Survived M: 1 → 2',
      '  a.ts:2:8 NoCoverage M: { run() } → {}',
      'Mutation score: 50.00 % (2 of 4)',
    ])
  })

  test('has no list of survivors where there are none, and cuts long ones', () => {
    const clean = { 'a.ts': { source: '', mutants: [mutant('Killed')] } }
    expect(describeReport({ files: clean })).toEqual([
      '100.00 % (1 of 1) a.ts',
      'Mutation score: 100.00 % (1 of 1)',
    ])
    const source = 'y'.repeat(99)
    const long = { 'a.ts': { source, mutants: [mutant('Survived', at(1, 1, 1, 100))] } }
    expect(describeReport({ files: long })[2]).toBe(`  a.ts:1:1 Survived M: ${'y'.repeat(59)}… → x`)
  })

  test('gives no score where nothing was mutated', () => {
    const empty = { files: { 'a.ts': { source: '', mutants: [] } } }
    expect(describeReport(empty).at(-1)).toBe('Nothing was mutated.')
    expect(mutantsOf(empty)).toBe(0)
    expect(mutantsOf({ files: { 'a.ts': { source: '', mutants: [mutant('Ignored')] } } })).toBe(1)
  })
})
