import { describe, expect, it } from 'vitest'
import type { ReplayError } from '../src/index.ts'
import { parseOverride, patchedEntries } from '../src/override.ts'
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

const hang = { kind: 'hang' } as const

describe('parseOverride', () => {
  it('reads every kind of entry as it is', () => {
    const entries = [
      { kind: 'chunks', chunks: answer('a') },
      { kind: 'throw', chunks: answer('a').slice(0, 2), message: 'm', code: 'AUTH', status: 401 },
      { kind: 'throw', chunks: [], message: '', code: 'SERVER' },
      { kind: 'hang' },
      { kind: 'hang', chunks: [] },
    ]
    expect(parseOverride(JSON.stringify(entries), 'o.json')).toEqual({ kind: 'script', entries })
    expect(parseOverride('[]', 'o.json')).toEqual({ kind: 'script', entries: [] })
  })

  it('lets a throw leave out its chunks', () => {
    expect(parseOverride('[{"kind":"throw","message":"m","code":"c"}]', 'o.json')).toEqual({
      kind: 'script',
      entries: [{ kind: 'throw', chunks: [], message: 'm', code: 'c' }],
    })
  })

  it('reads patches in their order', () => {
    const patches = [
      { at: 2, entry: { kind: 'hang' } },
      { at: 0, entry: { kind: 'chunks', chunks: answer('a') } },
    ]
    expect(parseOverride(JSON.stringify({ patches }), 'o.json')).toEqual({
      kind: 'patches',
      patches,
    })
    const named = JSON.stringify({ $schema: './x.json', patches })
    expect(parseOverride(named, 'o.json')).toEqual({ kind: 'patches', patches })
  })

  it.each([
    ['[', /^llm-replay: o\.json: not JSON \(.+\)$/],
    [
      {},
      /^llm-replay: o\.json: expected an array of replay entries, or an object with "patches" \(at least one\): .*array/,
    ],
    [5, /or an object with "patches" \(at least one\): .*object/],
    [null, /or an object with "patches" \(at least one\): .*object/],
    [{ patches: {} }, /or an object with "patches" \(at least one\): .*array/],
    [{ patches: [] }, /or an object with "patches" \(at least one\): /],
    [{ patches: [{ at: 0, entry: hang }], at: 1 }, /\(at least one\): .*"at"/],
    [{ patches: [{ at: 0, entry: hang }, 5] }, /^llm-replay: o\.json: patch 1: .*object/],
    [{ patches: [{ entry: hang }] }, /patch 0 at at: .*number/],
    [{ patches: [{ at: 0.5, entry: hang }] }, /patch 0 at at: .*int/],
    [{ patches: [{ at: -1, entry: hang }] }, /patch 0 at at: /],
    [{ patches: [{ at: '1', entry: hang }] }, /patch 0 at at: /],
    [{ patches: [{ at: 0 }] }, /patch 0 at entry: /],
    [{ patches: [{ at: 0, entry: hang, step: 1 }] }, /patch 0: .*"step"/],
    [{ patches: [{ at: 0, entry: { kind: 'hung' } }] }, /patch 0 at entry\.kind: /],
    [
      { patches: [{ at: 0, entry: { kind: 'throw' } }] },
      /patch 0 at entry\.message: .*; patch 0 at entry\.code: /,
    ],
    [
      { patches: [1, 0, 1].map((at) => ({ at, entry: hang })) },
      /^llm-replay: o\.json: patch 2 is at 1, and so is patch 0; remove one$/,
    ],
    [[{ kind: 'hang' }, { kind: 'stall' }], /^llm-replay: o\.json: entry 1 at kind: /],
    [[5], /o\.json: entry 0: .*object/],
    [[{ kind: 'throw', code: 'c' }], /entry 0 at message: /],
    [[{ kind: 'throw', message: 'm' }], /entry 0 at code: /],
    [[{ kind: 'throw', message: 1, code: 2 }], /entry 0 at message: .*; entry 0 at code: /],
    [[{ kind: 'throw', message: 'm', code: 'c', status: 40.5 }], /entry 0 at status: /],
    [[{ kind: 'throw', message: 'm', code: 'c', status: -1 }], /entry 0 at status: /],
    [[{ kind: 'chunks' }], /entry 0 at chunks: /],
    [
      [{ kind: 'chunks', chunks: [] }],
      /entry 0 at chunks: expected "finish" at the end; for an answer that was cut, say "throw"/,
    ],
    [[{ kind: 'chunks', chunks: answer('a').slice(0, 4) }], /entry 0 at chunks: expected "finish"/],
    [
      [{ kind: 'chunks', chunks: [...answer('a'), ...answer('b')] }],
      /entry 0 at chunks\.5: nothing may follow "finish", and 5 more come$/,
    ],
    [
      [{ kind: 'hang', chunks: [...answer('a'), ...answer('b').slice(0, 1)] }],
      /entry 0 at chunks\.5: nothing may follow "finish", and 1 more come$/,
    ],
    [[{ kind: 'chunks', chunks: [5] }], /entry 0 at chunks\.0: a chunk must be an object, not 5/],
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

describe('patchedEntries', () => {
  const where = { file: 'o.json', log: 'session.1.jsonl' }
  const patch = (at: number) => ({ at, entry: hang })

  it('gives each entry its place', () => {
    expect([...patchedEntries([patch(2), patch(0)], 3, where)]).toEqual([
      [2, hang],
      [0, hang],
    ])
  })

  it.each([
    [
      1,
      [0, 1],
      'patch 1 is at 1, but session.1.jsonl holds 1 model call: expected "at" from 0 to 0',
    ],
    [3, [7], 'patch 0 is at 7, but session.1.jsonl holds 3 model calls: expected "at" from 0 to 2'],
    [0, [0], 'patch 0 is at 0, but session.1.jsonl holds no model calls'],
  ])('case R9: refuses a patch beyond a script of %j', (calls, at, message) => {
    const run = (): unknown => patchedEntries(at.map(patch), calls, where)
    expect(run).toThrow(expect.objectContaining({ code: 'OVERRIDE_INVALID' }))
    expect(run).toThrow(`llm-replay: o.json: ${message}`)
  })
})
