import * as fc from 'fast-check'

/**
 * Runs a property. A failure prints the seed and the path by which it is repeated: `FC_SEED`.
 * `FC_RUNS` multiplies the number of runs.
 */
export function check<T>(property: fc.IProperty<T>, numRuns = 200): void {
  const { FC_SEED, FC_RUNS = '1' } = process.env
  fc.assert(property, {
    numRuns: numRuns * Number(FC_RUNS),
    ...(FC_SEED === undefined ? {} : { seed: Number(FC_SEED) }),
  })
}
