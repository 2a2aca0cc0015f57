import { formatLineage, type Lineage, parseLineage } from 'dsh-session'
import type { SessionScript } from './types.ts'

/** A lane at the time of a refusal. */
export interface LaneState {
  readonly lane: number
  readonly script: SessionScript
  /** The live session that has it. */
  readonly holder: string | undefined
  /** How many of its calls are behind its furthest caller. */
  readonly made: number
}

/** A message names no more lanes of one kind: it is read in a terminal. */
const MOST = 5

export function laneName(lane: number, { file, lineage }: SessionScript): string {
  return `lane ${lane} (${file}${lineage === undefined ? '' : `, lineage ${formatLineage(lineage)}`})`
}

/**
 * Says which lanes are free, which are in use, and which are used up, each kind a sentence of its
 * own; nothing of a kind that has none. Where a lineage is looked for, the nearest come first.
 */
export function describeLanes(states: readonly LaneState[], sought: string | undefined): string {
  const near = sought === undefined ? undefined : parseLineage(sought)
  const ordered = near === undefined ? states : [...states].sort(byNearness(near))
  const free = ordered.filter(({ holder }) => holder === undefined)
  const used = ordered.filter(({ holder }) => holder !== undefined)
  return [
    sentence('Free', free, (state) => callsLeft(state)),
    sentence(
      'In use',
      used.filter((state) => left(state) > 0),
      (state) => `${callsLeft(state)}, session ${state.holder}`,
    ),
    sentence(
      'Used up',
      used.filter((state) => left(state) === 0),
      ({ holder }) => `session ${holder}`,
    ),
  ].join('')
}

export function left({ script, made }: LaneState): number {
  return Math.max(0, script.entries.length - made)
}

function callsLeft(state: LaneState): string {
  if (state.script.entries.length === 0) return 'holds no calls'
  return `${left(state)} of ${count(state.script.entries.length, 'call')} left`
}

export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

function sentence(
  title: string,
  states: readonly LaneState[],
  about: (state: LaneState) => string,
): string {
  if (states.length === 0) return ''
  const named = states
    .slice(0, MOST)
    .map((state) => `${laneName(state.lane, state.script)}: ${about(state)}`)
  const hidden = states.length - named.length
  if (hidden > 0) named.push(`and ${hidden} more`)
  return `${title}: ${named.join('; ')}. `
}

function byNearness(sought: Lineage): (a: LaneState, b: LaneState) => number {
  const shared = ({ script: { lineage } }: LaneState): number => {
    if (lineage === undefined || lineage.root !== sought.root) return 0
    const places = sought.path.map((_, at) => formatLineage(upTo(sought, at)))
    const same = places.findIndex((place, at) => formatLineage(upTo(lineage, at)) !== place)
    return 1 + (same < 0 ? places.length : same)
  }
  return (a, b) => shared(b) - shared(a)
}

function upTo({ root, path }: Lineage, at: number): Lineage {
  return { root, path: path.slice(0, at + 1) }
}
