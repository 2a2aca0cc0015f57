/**
 * @typedef {{ line: number, column: number }} Position both from 1
 * @typedef {{ mutatorName: string, status: string, replacement?: string,
 *   location: { start: Position, end: Position } }} Mutant
 * @typedef {{ files: Record<string, { source: string, mutants: Mutant[] }> }} MutationReport
 *   of mutation-testing-report-schema
 */

const CAUGHT = new Set(['Killed', 'Timeout'])
const MISSED = new Set(['Survived', 'NoCoverage'])

/** How much of a mutant's code is printed. */
const WIDTH = 60

/** @param {string} text */
function short(text) {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > WIDTH ? `${line.slice(0, WIDTH - 1)}…` : line
}

/**
 * The text between two positions of a source.
 *
 * @param {string} source
 * @param {{ start: Position, end: Position }} location
 */
export function excerpt(source, { start, end }) {
  const lines = source.split('\n').slice(start.line - 1, end.line)
  const last = lines.length - 1
  if (last < 0) return ''
  lines[last] = lines[last].slice(0, end.column - 1)
  lines[0] = lines[0].slice(start.column - 1)
  return lines.join('\n')
}

/**
 * Caught mutants in percent of those that count: what does not compile or was ignored does not.
 *
 * @param {readonly Mutant[]} mutants
 * @returns {number} 100 where none count
 */
export function scoreOf(mutants) {
  const caught = mutants.filter(({ status }) => CAUGHT.has(status)).length
  const missed = mutants.filter(({ status }) => MISSED.has(status)).length
  return caught + missed === 0 ? 100 : (100 * caught) / (caught + missed)
}

/** @param {readonly Mutant[]} mutants */
function totals(mutants) {
  const caught = mutants.filter(({ status }) => CAUGHT.has(status)).length
  const counted = caught + mutants.filter(({ status }) => MISSED.has(status)).length
  return `${scoreOf(mutants).toFixed(2)} % (${caught} of ${counted})`
}

/**
 * How many mutants there were; none means that no source was found, and nothing is shown.
 *
 * @param {MutationReport} report
 */
export function mutantsOf(report) {
  return Object.values(report.files).reduce((sum, { mutants }) => sum + mutants.length, 0)
}

/**
 * Score per file and in all, then every survivor with its place and change.
 *
 * @param {MutationReport} report
 * @returns {string[]} lines
 */
export function describeReport(report) {
  const files = Object.entries(report.files).sort(([a], [b]) => (a < b ? -1 : 1))
  const scores = files.map(([path, { mutants }]) => `${totals(mutants)} ${path}`)
  const survivors = files.flatMap(([path, { source, mutants }]) =>
    mutants
      .filter(({ status }) => MISSED.has(status))
      .sort((a, b) => a.location.start.line - b.location.start.line)
      .map((mutant) => {
        const { line, column } = mutant.location.start
        const change = `${short(excerpt(source, mutant.location))} → ${short(mutant.replacement ?? '')}`
        return `  ${path}:${line}:${column} ${mutant.status} ${mutant.mutatorName}: ${change}`
      }),
  )
  const all = files.flatMap(([, { mutants }]) => mutants)
  return [
    ...scores,
    ...(survivors.length > 0 ? ['Survivors:', ...survivors] : []),
    all.length === 0 ? 'Nothing was mutated.' : `Mutation score: ${totals(all)}`,
  ]
}
