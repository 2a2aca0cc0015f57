import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * How the lines of a log are written: an event each (`plain`), with runs of chunks as rows (`packed`),
 * or as committed later, without `seq` and `time` (`projected`).
 */
type LogForm = 'plain' | 'packed' | 'projected'

export interface RecordedLog {
  /** Below the folder of all recordings, as `set/scenario/session.1.jsonl`. */
  readonly name: string
  /** Absolute. */
  readonly file: string
  readonly text: string
  readonly form: LogForm
}

/** A folder with the logs of one run. */
export interface Recording {
  /** Below the folder of all recordings, as `set/scenario`. */
  readonly name: string
  /** Absolute. */
  readonly dir: string
  /** The primary's first, then its children's by their number. */
  readonly logs: readonly RecordedLog[]
  readonly files: readonly string[]
}

/** The recordings that other people made, or why there are none to be read. */
export interface Corpus {
  readonly recordings: readonly Recording[]
  readonly logs: readonly RecordedLog[]
  /** `skipped: …`, for the title of a suite; empty where there are recordings. */
  readonly why: string
}

const PRIMARY = 'session.jsonl'
const LOG = /^session(?:\.(\d+))?\.jsonl$/

/**
 * Reads every recording below a folder, however its sets are called and however many there are. What
 * lies within a scenario, as in its workspace, is no recording.
 * @throws Error for a folder that is there and holds none: a check of nothing must not be green.
 */
export function readCorpus(root: string | undefined): Corpus {
  if (root === undefined || root === '') return none('DSH_CORPUS_DIR is not set')
  if (statSync(root, { throwIfNoEntry: false })?.isDirectory() !== true) {
    return none(`DSH_CORPUS_DIR=${root} is no folder`)
  }
  const recordings = recordingsBelow(root, '')
  if (recordings.length === 0)
    throw new Error(`${root} holds no recording: no folder has ${PRIMARY}`)
  return { recordings, logs: recordings.flatMap(({ logs }) => logs), why: '' }
}

/**
 * The packed twin of a plain log: under the same name in the set whose name ends in `-packed`, and
 * begun by the same event.
 */
export function packedTwin({ logs }: Corpus, log: RecordedLog): RecordedLog | undefined {
  const [set = '', ...rest] = log.name.split('/')
  const twin = logs.find(({ name }) => name === [`${set}-packed`, ...rest].join('/'))
  return twin !== undefined && beginning(twin) === beginning(log) ? twin : undefined
}

function beginning({ text }: RecordedLog): string {
  return text.split('\n', 2).join('\n')
}

function none(reason: string): Corpus {
  return { recordings: [], logs: [], why: ` (skipped: ${reason})` }
}

function recordingsBelow(root: string, name: string): Recording[] {
  const entries = readdirSync(join(root, name), { withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => entry.name)
  if (files.includes(PRIMARY)) return [recording(root, name, files)]
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .toSorted()
    .flatMap((folder) => recordingsBelow(root, join(name, folder)))
}

function recording(root: string, name: string, files: readonly string[]): Recording {
  const logs = files
    .flatMap((file) => {
      const [, number = '0'] = LOG.exec(file) ?? []
      return LOG.test(file) ? [{ file, number: Number(number) }] : []
    })
    .toSorted((a, b) => a.number - b.number)
    .map(({ file }): RecordedLog => {
      const path = join(root, name, file)
      const text = readFileSync(path, 'utf8')
      return { name: join(name, file), file: path, text, form: formOf(text) }
    })
  return { name, dir: join(root, name), logs, files }
}

function formOf(text: string): LogForm {
  const [, ...lines] = text.split('\n').filter((line) => line !== '')
  const keys = lines.map((line) => Object.keys(JSON.parse(line) as object))
  if (keys.some((each) => !each.includes('seq') && !each.includes('seq0'))) return 'projected'
  return keys.some((each) => each.includes('seq0')) ? 'packed' : 'plain'
}
