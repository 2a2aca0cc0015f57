import * as fc from 'fast-check'
import type { StreamAnswer } from '../src/index.ts'

const text = fc.string({ unit: 'binary', maxLength: 30 })
const pieces = fc.oneof(text, fc.array(text, { maxLength: 5 }))
/** Streamed answers with any text in any cut. */
export const answers: fc.Arbitrary<StreamAnswer> = fc.record(
  {
    reasoning: pieces,
    text: pieces,
    toolCalls: fc.array(
      fc.record(
        {
          name: fc.string({ minLength: 1 }),
          arguments: fc.oneof(pieces, fc.dictionary(fc.string(), text)),
        },
        { requiredKeys: ['name'] },
      ),
      { minLength: 1, maxLength: 3 },
    ),
    cut: fc.oneof(
      fc.integer({ min: 1, max: 5 }),
      fc.record({ size: fc.integer({ min: 1, max: 5 }), anywhere: fc.boolean() }),
    ),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<StreamAnswer>

/** A scripted text or arguments as a client gets them, joined. */
export const whole = (value: unknown): string => {
  if (Array.isArray(value)) return value.join('')
  if (typeof value === 'object' && value !== null) return JSON.stringify(value)
  return typeof value === 'string' ? value : ''
}
