import type { SpawnedBy } from './types.ts'

/** Where a child was started, without the cross-check: what tells siblings apart. */
export type Place = Omit<SpawnedBy, 'callId'>

/**
 * The place of a session in its delegation tree: the ordinal of its root, then the place of every
 * child on the way down. Equal for the same session of every run.
 *
 * As text, `0` is the first root and `0/1.2.0.1` the second child (`1`) of the first call (`0`) of
 * its turn 1, step 2. What a plugin started has the plugin's name where the call's number would be.
 */
export interface Lineage {
  readonly root: number
  readonly path: readonly Place[]
}

/** What of a header decides a session's lineage. */
export interface LineageHeader {
  readonly id: string
  readonly parentSession?: string
  readonly spawnedBy?: SpawnedBy
  readonly root?: number
}

/**
 * Follows a session's parents up to its root.
 * @returns undefined where a header on the way does not say, is missing, or comes round again
 */
export function lineageOf<T extends LineageHeader>(
  header: T,
  find: (id: string) => T | undefined,
): Lineage | undefined {
  const path: Place[] = []
  const seen = new Set<T>()
  for (let at: T | undefined = header; at !== undefined && !seen.has(at); ) {
    seen.add(at)
    const { parentSession, spawnedBy, root } = at
    if (parentSession === undefined) {
      return root === undefined ? undefined : { root, path: path.toReversed() }
    }
    if (spawnedBy === undefined) return undefined
    const { callId: _, ...place } = spawnedBy
    path.push(place)
    at = find(parentSession)
  }
  return undefined
}

/** The text of a lineage: printable ASCII without blanks, the same in every run. */
export function formatLineage({ root, path }: Lineage): string {
  return [String(root), ...path.map(formatPlace)].join('/')
}

/** Reads a lineage back. @returns undefined for what `formatLineage` does not write */
export function parseLineage(text: string): Lineage | undefined {
  const [first, ...rest] = text.split('/')
  const root = parseCount(first)
  const path = rest.map(parsePlace)
  if (root === undefined || !path.every((place) => place !== undefined)) return undefined
  return { root, path }
}

/** Numerically, a parent before its children: the order in which a depth-first walk meets them. */
export function compareLineages(a: Lineage, b: Lineage): number {
  if (a.root !== b.root) return a.root - b.root
  for (const [depth, place] of a.path.entries()) {
    const other = b.path[depth]
    if (other === undefined) return 1
    const order = comparePlaces(place, other)
    if (order !== 0) return order
  }
  return a.path.length - b.path.length
}

/** Orders the children of one parent. What plugins start in a step comes after its calls' children. */
export function comparePlaces(a: Place, b: Place): number {
  return a.turn - b.turn || a.step - b.step || compareStarters(a, b) || a.index - b.index
}

function compareStarters(a: Place, b: Place): number {
  if (a.call !== undefined && b.call !== undefined) return a.call - b.call
  if (a.call !== undefined) return -1
  if (b.call !== undefined) return 1
  const [x, y] = [String(a.plugin), String(b.plugin)]
  // By code unit, as everywhere: a locale would order siblings by machine.
  return x === y ? 0 : x < y ? -1 : 1
}

function formatPlace({ turn, step, call, plugin, index }: Place): string {
  return [turn, step, call ?? escapeName(String(plugin)), index].join('.')
}

function parsePlace(text: string): Place | undefined {
  const [turn, step, starter = '', index, ...rest] = text.split('.')
  const numbers = [parseCount(turn), parseCount(step), parseCount(index)]
  if (rest.length > 0 || !numbers.every((number) => number !== undefined)) return undefined
  const [t, s, i] = numbers as [number, number, number]
  const call = parseCount(starter)
  if (call !== undefined) return { turn: t, step: s, call, index: i }
  const plugin = unescapeName(starter)
  return plugin === undefined ? undefined : { turn: t, step: s, plugin, index: i }
}

function parseCount(text: string | undefined): number | undefined {
  if (text === undefined || !/^(?:0|[1-9]\d*)$/.test(text)) return undefined
  const count = Number(text)
  return Number.isSafeInteger(count) ? count : undefined
}

/** `~XXXX` for every UTF-16 unit that would be taken for a separator or, in front, for a call. */
function escapeName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_-]|^\d/g, escapeUnits)
}

function escapeUnits(text: string): string {
  return `~${text.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
}

function unescapeName(text: string): string | undefined {
  const name = text.replaceAll(/~([0-9A-F]{4})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return name !== '' && escapeName(name) === text ? name : undefined
}
