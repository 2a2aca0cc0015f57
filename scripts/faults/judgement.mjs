/** Of all faults, how many may be such that change nothing. */
const MOST_EQUAL = 0.1
const FEWEST = { all: 60, drawn: 30 }

const isDrawn = ({ fault }) => fault.operator !== undefined

/**
 * What became of one fault, in one word: `detected`; `misnamed`, where a chosen fault was reported as
 * something else than it is; `equal`, a drawn survivor that changes nothing; `survived`.
 *
 * @param {import('./types.ts').Outcome} outcome
 */
export function standing({ fault, label, same }) {
  if (label !== undefined) {
    return fault.expect === undefined || fault.expect.includes(label) ? 'detected' : 'misnamed'
  }
  return fault.operator !== undefined && same?.equal === true ? 'equal' : 'survived'
}

/**
 * Why a campaign did not reach its targets; nothing where it did.
 *
 * @param {readonly import('./types.ts').Outcome[]} outcomes
 * @param {{ whole: boolean }} campaign whether these are all faults
 * @returns {string[]}
 */
export function problemsOf(outcomes, { whole }) {
  const problems = outcomes.flatMap((outcome) => {
    const { name, expect } = outcome.fault
    switch (standing(outcome)) {
      case 'misnamed':
        return [`"${name}" was reported as ${outcome.label}, expected ${expect?.join(' or ')}`]
      case 'survived':
        return [`"${name}" was not detected: ${outcome.same?.text ?? 'nothing was compared'}`]
      default:
        return []
    }
  })
  if (!whole) return problems
  const drawn = outcomes.filter(isDrawn).length
  const equal = outcomes.filter((outcome) => standing(outcome) === 'equal').length
  if (outcomes.length < FEWEST.all)
    problems.push(`${outcomes.length} faults, expected ${FEWEST.all}`)
  if (drawn < FEWEST.drawn) problems.push(`${drawn} drawn faults, expected ${FEWEST.drawn}`)
  if (equal > outcomes.length * MOST_EQUAL) {
    problems.push(`${equal} of ${outcomes.length} faults change nothing, at most a tenth may`)
  }
  return problems
}

/**
 * The campaign in lines: a row per fault, then the survivors, then the sums.
 *
 * @param {readonly import('./types.ts').Outcome[]} outcomes in the order of the faults
 * @returns {string[]}
 */
export function tableOf(outcomes) {
  const rows = outcomes.map(({ fault, by, label, ...outcome }) => [
    standing({ fault, label, ...outcome }),
    fault.area,
    fault.name,
    label ?? '',
    by ?? '',
  ])
  const widths = [0, 1, 2, 3].map((at) => Math.max(...rows.map((row) => row[at].length)))
  const survivors = outcomes.filter(({ label }) => label === undefined)
  return [
    ...rows.map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    ),
    ...survivors.flatMap(({ fault, same }) => [
      `${fault.name}: ${fault.change ?? 'chosen'}`,
      `  ${same?.equal === true ? 'nothing changes' : 'CHANGES'}: ${same?.text ?? 'not compared'}`,
    ]),
    sums(outcomes),
  ]
}

function sums(outcomes) {
  const count = (word) => outcomes.filter((outcome) => standing(outcome) === word).length
  const found = count('detected') + count('misnamed')
  const drawn = outcomes.filter(isDrawn).length
  return (
    `${found} of ${outcomes.length} faults detected (${drawn} drawn, ${outcomes.length - drawn} chosen), ` +
    `${count('misnamed')} misnamed, ${count('equal')} change nothing, ${count('survived')} missed`
  )
}
