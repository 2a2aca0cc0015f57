import { describe, expect, test } from 'vitest'
import { envelopeProblem, isCount, isSurfaceOp, isSurfaceType } from '../src/index.ts'

const surface = ['user', 'assistant', 'context', 'steering'].map((kind) => `${kind}/message`)

test.each([...surface, 'tool/result'])('%s is on the surface and needs an operation', (type) => {
  expect(isSurfaceType(type)).toBe(true)
  expect(envelopeProblem({ type })).toBe(`"surfaceOp" is required on "${type}"`)
  expect(envelopeProblem({ type }, true)).toBeUndefined()
  expect(envelopeProblem({ type, surfaceOp: 'append' })).toBeUndefined()
  expect(envelopeProblem({ type, surfaceOp: 'append', sourceEventSeqs: [0, 7] })).toBeUndefined()
})

test.each(['turn/start', 'assistant/chunk', 'tool/call', 'toString'])('%s is off it', (type) => {
  expect(isSurfaceType(type)).toBe(false)
  expect(envelopeProblem({ type })).toBeUndefined()
  expect(envelopeProblem({ type, surfaceOp: 'append' }, true)).toBe(
    `"surfaceOp" is not allowed on "${type}"`,
  )
  expect(envelopeProblem({ type, sourceEventSeqs: [] }, true)).toBe(
    `"sourceEventSeqs" is not allowed on "${type}"`,
  )
})

test.each(['session', 'text-chunks', 'reasoning-chunks', 'tool-call-chunks'])(
  '%s is no type of an event',
  (type) => {
    expect(envelopeProblem({ type })).toContain(`"type" must not be "${type}"`)
  },
)

test.each([
  [undefined, 'undefined'],
  [5, '5'],
  ['', '""'],
])('a type must be a text with something in it, not %j', (type, shown) => {
  expect(envelopeProblem({ type })).toBe(`"type" must be a non-empty string, not ${shown}`)
})

test.each([
  'replace',
  '',
  5,
  null,
  ['append'],
  {},
  { op: 'append', start: 1, end: 2 },
  { op: 'replace', start: 1 },
  { op: 'replace', end: 1 },
  { op: 'replace', start: -1, end: 2 },
  { op: 'replace', start: 1, end: 2.5 },
  { op: 'replace', start: 1, end: 2, more: 3 },
])('%j is no operation', (surfaceOp) => {
  expect(isSurfaceOp(surfaceOp)).toBe(false)
  for (const tolerant of [false, true]) {
    expect(envelopeProblem({ type: 'user/message', surfaceOp }, tolerant)).toMatch(
      /^"surfaceOp" must be "append" or exactly/,
    )
  }
})

test('a replacement names two seqs', () => {
  expect(isSurfaceOp({ op: 'replace', start: 4, end: 4 })).toBe(true)
})

test.each([5, [1.5], [-1], ['1'], null, {}])('%j is no list of sources', (sourceEventSeqs) => {
  expect(envelopeProblem({ type: 'user/message', surfaceOp: 'append', sourceEventSeqs })).toBe(
    '"sourceEventSeqs" must be an array of seqs',
  )
})

describe('isCount', () => {
  test.each([0, 1, Number.MAX_SAFE_INTEGER])('%d counts', (value) => {
    expect(isCount(value)).toBe(true)
  })
  test.each([-1, -0, 0.5, Number.NaN, 2 ** 53, '1', null, undefined])('%s does not', (value) => {
    expect(isCount(value)).toBe(false)
  })
})
