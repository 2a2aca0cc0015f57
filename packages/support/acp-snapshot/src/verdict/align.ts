import { formatLineage, lineageOf } from 'dsh-session'
import { readHeader } from '../log/header.ts'
import { sessionToken } from '../normalise/tokens.ts'

/** The normal text of a log. */
interface Text {
  readonly text: string
}

/**
 * Which live log stands for which recorded one, by the places of both: `order[i]` is the index of the
 * live log for the recorded log i. Undefined where the order alone decides: where there are as many as
 * were recorded, or where a place is not known.
 */
export function alignByPlace(
  expected: readonly Text[],
  actual: readonly Text[],
): readonly (number | undefined)[] | undefined {
  if (expected.length === actual.length) return undefined
  const [wanted, found] = [placesOf(expected), placesOf(actual)]
  if (wanted === undefined || found === undefined) return undefined
  return wanted.map((place) => {
    const index = found.indexOf(place)
    return index < 0 ? undefined : index
  })
}

/** Distinct lineages, or undefined where one is not known. */
function placesOf(logs: readonly Text[]): string[] | undefined {
  if (logs.some(({ text }) => text === '')) return undefined
  const headers = logs.map(({ text }, index) => readHeader(text, `log ${index + 1}`))
  const byId = new Map(headers.map((header) => [header.id, header]))
  const places = headers.map((header) => lineageOf(header, (id) => byId.get(id)))
  if (!places.every((place) => place !== undefined)) return undefined
  const texts = places.map(formatLineage)
  return new Set(texts).size === texts.length ? texts : undefined
}

/** Stands for a session of which no log was recorded. */
const UNRECORDED = '{{session not recorded}}'

/**
 * Live logs are numbered in their own order, so that one too many or too few moves the number of every
 * later one. Gives a log, and whatever it names, the numbers of the recorded logs that they stand for.
 */
export function renumber(
  text: string,
  order: readonly (number | undefined)[],
  { rank, count }: { readonly rank: number; readonly count: number },
): string {
  const tokens = new Map<string, string>()
  for (let live = 0; live < count; live += 1) tokens.set(sessionToken(live), UNRECORDED)
  for (const [index, live] of order.entries()) {
    if (live !== undefined) tokens.set(sessionToken(live), sessionToken(index))
  }
  return text
    .replaceAll(/\{\{session(?:\.\d+)?\}\}/g, (token) => tokens.get(token) ?? token)
    .replace(/"createdAt":\d+/, `"createdAt":${rank}`)
}
