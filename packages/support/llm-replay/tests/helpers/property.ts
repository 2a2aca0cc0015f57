import * as fc from 'fast-check'

/** Runs a property; a failure prints the seed by which it can be repeated. */
export function check<T>(property: fc.IProperty<T>, numRuns = 200): void {
  const fromEnv = process.env.FC_SEED
  fc.assert(property, {
    numRuns,
    ...(fromEnv === undefined ? {} : { seed: Number(fromEnv) }),
  })
}

/** The same for one that has to wait. */
export async function checkAsync<T>(
  property: fc.IAsyncProperty<T>,
  numRuns: number,
): Promise<void> {
  const fromEnv = process.env.FC_SEED
  await fc.assert(property, {
    numRuns,
    ...(fromEnv === undefined ? {} : { seed: Number(fromEnv) }),
  })
}
