import { describe, expect, it } from 'vitest'
import type { ReplayError } from '../src/index.ts'
import { parseOverride } from '../src/override.ts'
import { answer } from './helpers/log.ts'

function problem(value: unknown): string {
  try {
    parseOverride(typeof value === 'string' ? value : JSON.stringify(value), 'o.json')
  } catch (error) {
    expect((error as ReplayError).code).toBe('OVERRIDE_INVALID')
    return (error as Error).message
  }
  throw new Error('did not throw')
}

describe('parseOverride', () => {
  it('reads every kind of entry as it is', () => {
    const entries = [
      { kind: 'chunks', chunks: answer('a') },
      { kind: 'throw', chunks: answer('a').slice(0, 2), message: 'm', code: 'AUTH', status: 401 },
      { kind: 'throw', chunks: [], message: '', code: 'SERVER' },
      { kind: 'hang' },
      { kind: 'hang', chunks: [] },
    ]
    expect(parseOverride(JSON.stringify(entries), 'o.json')).toEqual(entries)
  })

  it('lets a throw leave out its chunks', () => {
    expect(parseOverride('[{"kind":"throw","message":"m","code":"c"}]', 'o.json')).toEqual([
      { kind: 'throw', chunks: [], message: 'm', code: 'c' },
    ])
  })

  it.each([
    ['[', /^llm-replay: o\.json: not JSON \(.+\)$/],
    [{}, /^llm-replay: o\.json: expected an array of replay entries: .*array/],
    [[{ kind: 'hang' }, { kind: 'stall' }], /^llm-replay: o\.json: entry 1 at kind: /],
    [[5], /o\.json: entry 0: .*object/],
    [[{ kind: 'throw', code: 'c' }], /entry 0 at message: /],
    [[{ kind: 'throw', message: 'm' }], /entry 0 at code: /],
    [[{ kind: 'throw', message: 1, code: 2 }], /entry 0 at message: .*; entry 0 at code: /],
    [[{ kind: 'throw', message: 'm', code: 'c', status: 40.5 }], /entry 0 at status: /],
    [[{ kind: 'chunks' }], /entry 0 at chunks: /],
    [[{ kind: 'hang', after: 1 }], /entry 0: .*after/],
    [[{ kind: 'chunks', chunks: [], after: 1 }], /entry 0: .*after/],
    [[{ kind: 'throw', message: 'm', code: 'c', after: 1 }], /entry 0: .*after/],
    [
      [{ kind: 'hang', chunks: [answer('')[0], { type: 'text-delta', index: 0 }] }],
      /entry 0 at chunks\.1: "text" must be a string, not undefined$/,
    ],
  ])('case R9: refuses %j, naming file and index', (value, message) => {
    expect(problem(value)).toMatch(message)
  })
})
