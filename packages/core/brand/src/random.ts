/** The only source of chance, apart from ids. */
export interface RandomSource {
  /** A number of 0 or more and less than 1. */
  fraction(): number
}

/** The machine's own; not for secrets. */
export const systemRandom: RandomSource = { fraction: () => Math.random() }
