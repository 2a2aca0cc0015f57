/** The middle of the values; the mean of the middle two where their number is even. */
function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/**
 * Times two things in turn, A B A B …, after one round that is not counted, and gives the ratio of
 * each pair: what the machine does meanwhile hits both alike.
 */
export async function pairedRatios(rounds, a, b) {
  const pairs = []
  for (let round = -1; round < rounds; round += 1) {
    const first = await timed(a)
    const second = await timed(b)
    if (round >= 0) pairs.push({ a: first, b: second, ratio: first / second })
  }
  return pairs
}

async function timed(run) {
  const start = performance.now()
  const own = await run()
  return typeof own === 'number' ? own : performance.now() - start
}

/** One row of the report. `better` says on which side of the target a figure should lie. */
export function row({ name, pairs, target, better, unit = 'ms' }) {
  const ratio = median(pairs.map((pair) => pair.ratio))
  const met = better === 'below' ? ratio <= target : ratio >= target
  return {
    name,
    ratio,
    a: median(pairs.map((pair) => pair.a)),
    b: median(pairs.map((pair) => pair.b)),
    unit,
    target: `${better === 'below' ? '≤' : '≥'} ${target}`,
    met,
    rounds: pairs.length,
  }
}
