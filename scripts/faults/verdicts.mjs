/**
 * What a finding is called: its kind, with what tells apart findings of one kind.
 *
 * @param {any} finding of a verdict's JSON
 */
export function findingLabel(finding) {
  switch (finding.kind) {
    case 'fault':
      return `fault:${finding.fault.kind}`
    case 'refused':
      return `refused:${finding.code}`
    case 'log-differs':
      return `log-differs:${finding.difference.eventType ?? 'end'}`
    default:
      return finding.kind
  }
}

/** Scenarios that cannot even be loaded have no verdict, only words. */
const NOT_LOADED = 'not-loaded'

/** @param {any} json one line of `replay --json` */
export function labelOf(json) {
  if (json.status === 'passed') return 'passed'
  const [first] = json.findings ?? []
  return first === undefined ? NOT_LOADED : findingLabel(first)
}

const PASSING_KEYS = new Set(['durationMs', 'runDir', 'stderrTail', 'afterMs'])
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi

/**
 * @typedef {object} Places
 * @property {string} tempDir below which everything of a run lies
 * @property {string} home the workshop, which holds that and the product that runs
 */

/**
 * A verdict as two runs of one scenario give it alike.
 *
 * @param {string} line
 * @param {Places} places
 * @returns {import('./types.ts').PlainVerdict}
 */
export function plainVerdict(line, places) {
  const json = JSON.parse(line)
  const text = JSON.stringify(json, (key, value) => {
    if (PASSING_KEYS.has(key)) return undefined
    return typeof value === 'string' ? plainWords(value, places) : value
  })
  return { scenario: json.scenario, label: labelOf(json), text }
}

/**
 * A text of a run as two runs give it alike.
 *
 * @param {string} text
 * @param {Places} places
 */
export function plainWords(text, { home, tempDir }) {
  const ids = new Map()
  return (
    text
      .split(tempDir)
      .map((part, index) => (index === 0 ? part : `<temp>${part.replace(/^\/[\w.-]+/, '')}`))
      .join('')
      // What accepts a red names the agent, and each workshop has its own.
      .replaceAll(home, '<workshop>')
      .replace(UUID, (id) => {
        if (!ids.has(id)) ids.set(id, `<id ${ids.size + 1}>`)
        return ids.get(id)
      })
      // The folder of a project is named with a hash of its whole path.
      .replace(/\bcwd-[0-9a-f]{12}\b/g, 'cwd-<hash>')
      .replace(/\bpid \d+/g, 'pid N')
      .replace(/\b[\d.]+ m?s\b/g, 'N ms')
  )
}

/**
 * What a verdict that is not the known one is called.
 *
 * @param {import('./types.ts').PlainVerdict} known
 * @param {import('./types.ts').PlainVerdict} came
 * @returns {string | undefined} undefined where it is the known one
 */
export function departure(known, came) {
  if (came.text === known.text) return undefined
  if (came.label === known.label) return `other-words:${came.label}`
  if (known.label === 'passed') return came.label
  if (came.label === 'passed') return `missed:${known.label}`
  return `misnamed:${known.label}>${came.label}`
}
