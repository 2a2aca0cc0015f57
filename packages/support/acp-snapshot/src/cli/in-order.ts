/**
 * Does the work for each item, at most `workers` at a time, and hands out the results in the order
 * of the items, each as soon as all before it are out. Once `signal` aborts no further item is
 * begun. `work` must not reject.
 */
export async function inOrder<Item, Result>(
  items: readonly Item[],
  workers: number,
  work: (item: Item) => Promise<Result>,
  hand: (result: Result) => void,
  signal: AbortSignal,
): Promise<void> {
  const results = new Map<number, Result>()
  let begun = 0
  let handed = 0
  const worker = async (): Promise<void> => {
    while (begun < items.length && !signal.aborted) {
      const index = begun
      begun += 1
      results.set(index, await work(items[index] as Item))
      for (; results.has(handed); handed += 1) {
        hand(results.get(handed) as Result)
        results.delete(handed)
      }
    }
  }
  await Promise.all(Array.from({ length: workers }, worker))
}
