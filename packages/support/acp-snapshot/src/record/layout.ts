import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isProjected, isRowTag, LogConverter } from 'dsh-session'
import { type Fields, isFields, parseLine, splitLines } from '../log/lines.ts'
import { classify } from '../scenario/files.ts'

/** How the events of a fixture are laid out, which no comparison looks at. */
export interface FixtureLayout {
  /** Whether runs of chunks are rows. */
  readonly packed: boolean
  /** Whether `seq` and `time` are left out. */
  readonly projected: boolean
}

/** The layout of a log; undefined where there is none to see, as in one that cannot be read. */
export function layoutOf(text: string): FixtureLayout | undefined {
  let records: unknown[]
  try {
    records = splitLines(text).map((line) => JSON.parse(line) as unknown)
  } catch {
    return undefined
  }
  const [first, ...rest] = records.slice(1).filter(isFields)
  if (first === undefined) return undefined
  const packed = [first, ...rest].some(({ type }) => isRowTag(type))
  return { packed, projected: isProjected(first) }
}

/**
 * A log in normal form in another layout: the same events, as other bytes.
 * @throws SessionError where the log cannot be read whole.
 */
export function inLayout(text: string, { packed, projected }: FixtureLayout): string {
  const lines: string[] = []
  const converter = new LogConverter(packed ? 'pack' : 'unpack', (line) => lines.push(line))
  for (const line of splitLines(text)) converter.line(line)
  converter.end()
  const [header, ...records] = lines
  const own = projected ? records.map(project) : records
  return [header, ...own].map((line) => `${line}\n`).join('')
}

/**
 * These files, each log laid out as its predecessor in the folder is. Whoever packed a fixture, or
 * took it over in the projected form, gets it back so, and a diff shows what changed and no more.
 */
export async function inLayoutsOf(
  dir: string,
  files: ReadonlyMap<string, string>,
): Promise<Map<string, string>> {
  const own = new Map(files)
  for (const [name, text] of files) {
    if (classify(name)?.kind !== 'log') continue
    const old = await readFile(join(dir, name), 'utf8').catch(() => '')
    const [wanted, found] = [layoutOf(old), layoutOf(text)]
    if (wanted === undefined || found === undefined) continue
    const same = wanted.packed === found.packed && wanted.projected === found.projected
    if (!same) own.set(name, inLayout(text, wanted))
  }
  return own
}

/** In normal form every time is 0, and `seq` counts: what is left out can be restored. */
function project(line: string, index: number): string {
  const {
    seq: _seq,
    time: _time,
    seq0: _seq0,
    time0: _time0,
    ...rest
  } = parseLine(line, index + 2, 'log') as Fields
  return JSON.stringify(rest)
}
