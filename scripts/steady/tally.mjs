/**
 * Counts the results of many rounds.
 *
 * @typedef {{ scenario: string, round: number, line: string, runDir: string | undefined }} Failure
 */
export class Tally {
  runs = 0
  /** @type {Failure | undefined} */
  first
  /** @type {Map<string, number>} failures by scenario */
  failures = new Map()

  /**
   * Takes one line of `replay --json`.
   *
   * @param {string} line
   * @param {number} round
   * @returns {Failure | undefined} what failed
   */
  take(line, round) {
    const { scenario, status, runDir } = JSON.parse(line)
    this.runs += 1
    if (status === 'passed') return undefined
    const failure = { scenario, round, line, runDir }
    this.failures.set(scenario, (this.failures.get(scenario) ?? 0) + 1)
    this.first ??= failure
    return failure
  }

  get failed() {
    return [...this.failures.values()].reduce((sum, count) => sum + count, 0)
  }

  /** What came of it, in lines. */
  words() {
    const lines = [`${this.runs} runs, ${this.failed} failed`]
    const byName = [...this.failures].sort(([a], [b]) => (a < b ? -1 : 1))
    for (const [scenario, count] of byName) lines.push(`  ${scenario}: ${count}`)
    if (this.first === undefined) return lines
    const { scenario, round, line, runDir } = this.first
    return [
      ...lines,
      `the first was ${scenario} in round ${round}, kept in ${runDir ?? 'no folder'}:`,
      `  ${line}`,
    ]
  }
}
