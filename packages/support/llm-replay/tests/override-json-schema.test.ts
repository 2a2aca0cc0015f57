import { Ajv2020 } from 'ajv/dist/2020.js'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chunkProblem } from '../src/chunk.ts'
import { chunkJsonSchema } from '../src/chunk-json-schema.ts'
import { overrideJsonSchema } from '../src/override-json-schema.ts'
import { answer } from './helpers/log.ts'

const ajv = new Ajv2020()
const takesChunk = ajv.compile(chunkJsonSchema)
const takes = ajv.compile(overrideJsonSchema())

const TYPES =
  'block-start text-delta reasoning-delta tool-call-delta block-end usage finish audio-delta'.split(
    ' ',
  )
// Keys come and go.
const LOOSE = { requiredKeys: [] }
const TYPED: { requiredKeys: 'type'[] } = { requiredKeys: ['type'] }
const text = fc.constantFrom<unknown>('', 'a', 1, null, {})
const blockType = fc.constantFrom<unknown>('text', 'reasoning', 'tool-call', 'tool-result', 5)
const index = fc.constantFrom<unknown>(0, 1, 2 ** 53 - 1, 2 ** 53, -1, 0.5, '0', null)
const anyChunk = fc.record(
  {
    type: fc.constantFrom<unknown>(null, ...TYPES),
    index,
    blockType,
    text,
    id: text,
    name: text,
    argumentsDelta: text,
    block: fc.oneof(
      text,
      fc.record({ type: blockType, text, id: text, name: text, arguments: text }, TYPED),
    ),
    usage: fc.oneof(text, fc.record({ inputTokens: text, outputTokens: index }, LOOSE)),
    reason: fc.oneof(
      text,
      fc.record({ kind: fc.constantFrom('stop', 'tool-calls', 'error', 'x') }, LOOSE),
    ),
    later: text,
  },
  TYPED,
)

describe('the schema of a chunk', () => {
  it('agrees with the check on whatever may look like one', () => {
    const counts = { taken: 0, refused: 0 }
    fc.assert(
      fc.property(fc.oneof({ weight: 9, arbitrary: anyChunk }, text), (value) => {
        const good = chunkProblem(value) === undefined
        counts[good ? 'taken' : 'refused'] += 1
        expect([value, takesChunk(value)]).toEqual([value, good])
      }),
      { numRuns: 2000 },
    )
    expect(Math.min(counts.taken, counts.refused)).toBeGreaterThan(50)
  })

  it('says of each kind what it is', () => {
    const { oneOf } = chunkJsonSchema as { oneOf: { description: string }[] }
    for (const { description } of oneOf) expect(description).toMatch(/\.$/)
    expect(oneOf).toHaveLength(7)
  })
})

describe('the schema of a sidecar', () => {
  const done = answer('a')
  const cut = done.slice(0, 2)

  it.each<[unknown, boolean]>([
    [[], true],
    [[{ kind: 'chunks', chunks: done }, { kind: 'hang' }], true],
    [[{ kind: 'throw', message: 'm', code: 'c' }], true],
    [[{ kind: 'throw', chunks: cut, message: 'm', code: 'c', retryAfterMs: 5 }], true],
    [{ patches: [{ at: 0, entry: { kind: 'hang', chunks: cut } }] }, true],
    [{ $schema: './x.json', patches: [{ at: 0, entry: { kind: 'hang' } }] }, true],
    [{ $schema: 1, patches: [{ at: 0, entry: { kind: 'hang' } }] }, false],
    [{ patches: [] }, false],
    [{}, false],
    [[{ kind: 'chunks', chunks: cut }], false],
    [[{ kind: 'chunks', chunks: [...done, ...done] }], false],
    [[{ kind: 'hang', chunks: [...done, ...done] }], false],
    [[{ kind: 'hang', chunks: [5] }], false],
    [[{ kind: 'hang', after: 1 }], false],
    [[{ kind: 'throw', message: 'm' }], false],
  ])('%j: %s', (value, good) => {
    expect(takes(value)).toBe(good)
  })
})
