import { randomInt } from 'node:crypto'

/** What to start from: `DSH_TEST_SEED`, or a new number, which whoever uses it prints. */
export function seedOfRun() {
  return Number(process.env.DSH_TEST_SEED ?? randomInt(2 ** 31))
}

/**
 * A small generator of numbers below a limit, so that a failure can be run again from its seed.
 *
 * @param {number} seed
 * @returns {(below: number) => number}
 */
export function random(seed) {
  let state = seed >>> 0
  return (below) => {
    // mulberry32: unlike a bare congruence, its low bits are as random as the others.
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}
