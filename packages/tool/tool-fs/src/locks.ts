/** Runs what concerns one key one after the other, in the order of the calls. */
export class KeyedLocks {
  private readonly tails: Map<string, Promise<void>> = new Map()

  /** How many keys are in use. */
  get size(): number {
    return this.tails.size
  }

  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const result = (this.tails.get(key) ?? Promise.resolve()).then(task)
    const ignore = (): void => {}
    const tail = result.then(ignore, ignore)
    this.tails.set(key, tail)
    try {
      return await result
    } finally {
      if (this.tails.get(key) === tail) this.tails.delete(key)
    }
  }
}
