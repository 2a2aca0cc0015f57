import { type Fields, isFields, parseLine, splitLines } from '../log/lines.ts'
import { ANY_ID, HeaderBook } from './header-book.ts'
import { findLogRuns } from './log-runs.ts'
import { Replacer } from './replacer.ts'
import { compileRules } from './rules.ts'
import { RpcIds } from './rpc-ids.ts'
import type { Runs } from './runs.ts'
import { scrubHeader, seeHeader } from './scrub.ts'
import { findStdoutRuns } from './stdout-runs.ts'
import { zeroEnvelope, zeroTimes } from './times.ts'
import { highestId, highestSession, isSessionToken, sessionToken, TokenBook } from './tokens.ts'
import type { NormaliseOptions, Normaliser } from './types.ts'
import { collectCallIds, mapStrings, type Texts } from './walk.ts'

/** @throws SnapshotError `BAD_CONFIG` for rules that cannot be any */
export function createNormaliser(options: NormaliseOptions): Normaliser {
  const kept = new Set<string>()
  const book = new TokenBook()
  const afterPresent = options.numbering !== 'as-seen'
  const { outputs = [], rules = [] } = options
  nameSessions(
    book,
    options,
    afterPresent ? highestSession([...options.sessionIds, ...outputs]) : -1,
  )
  const replacing = {
    cwdAliases: options.cwdAliases,
    sessionIds: [...options.sessionIds, ...(options.recordedSessionIds ?? [])].filter(isReal),
    kept,
    ...(rules.length > 0 && { own: compileRules(rules) }),
  }
  const replacer = new Replacer({ ...replacing, book })
  const headers = new HeaderBook(new Replacer({ ...replacing, book: ANY_ID }))

  const lookAhead = (texts: readonly string[], values: readonly unknown[]): void => {
    for (const value of values) collectCallIds(value, kept)
    if (!afterPresent) return
    book.see(highestId(texts))
    for (const value of values) if (isFields(value)) seeHeader(value, headers)
  }
  for (const output of outputs) {
    const lines = splitLines(output)
    const values = lines.map(parseOrNothing)
    // It does not say which kind it is; each kind has texts that the other lacks.
    const cut = [...findLogRuns(values).joined(), ...findStdoutRuns(values).joined()]
    lookAhead([...lines, ...cut], values)
  }

  const texts: Texts = {
    text: (text) => replacer.text(text),
    word: (word) => replacer.word(word),
  }

  /** `prepare` does what depends on the kind of output; strings are the same everywhere. */
  const normalise = (
    lines: readonly string[],
    what: string,
    findRuns: (values: readonly unknown[]) => Runs,
    prepare: (value: Fields, line: number) => unknown,
  ): string[] => {
    const values = lines.map((line, index) => parseLine(line, index + 1, what))
    const runs = findRuns(values)
    // A token may be cut as anything else may.
    lookAhead([...lines, ...runs.joined()], values)
    return lines.map((line, index) => {
      const value = values[index]
      const prepared = isFields(value) ? prepare(value, index) : value
      const settled = runs.settle(prepared, index, replacer)
      const normal = JSON.stringify(mapStrings(settled, texts))
      return normal === JSON.stringify(value) ? line : normal
    })
  }

  return {
    stdout(lines) {
      const ids = new RpcIds()
      return normalise(lines, 'stdout', findStdoutRuns, (message) =>
        ids.renumber(zeroTimes(message) as Fields),
      )
    },
    log(text, rank) {
      const lines = normalise(splitLines(text), 'session log', findLogRuns, (value, line) => {
        if (line === 0 && value['type'] === 'session') return { ...value, createdAt: rank }
        const event = zeroEnvelope(value)
        return options.pinHeader === true ? event : scrubHeader(event, headers)
      })
      return lines.join('\n') + (text.endsWith('\n') ? '\n' : '')
    },
  }
}

function isReal(id: string): boolean {
  return !isSessionToken(id)
}

/**
 * Ids that are tokens already keep their names; the others are numbered in order, after the highest
 * present. A recorded id stands in what the model said, and means the live session of its place.
 */
function nameSessions(book: TokenBook, options: NormaliseOptions, highest: number): void {
  let number = highest
  options.sessionIds.forEach((id, index) => {
    const recorded = options.recordedSessionIds?.[index]
    if (isReal(id)) number += 1
    const token = isReal(id) ? sessionToken(number) : id
    if (isReal(id)) book.addSession(id, token)
    if (recorded !== undefined && isReal(recorded)) book.addSession(recorded, token)
  })
}

function parseOrNothing(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    // Reported with its number when the output itself is normalised.
    return undefined
  }
}
