import { readFile } from 'node:fs/promises'
import {
  applyEntryPatches,
  entryListSchema,
  type PatchOptions,
} from '@deepseek-ai/cordis-plugin-include'
import type { EntryOptions } from '@deepseek-ai/cordis-plugin-loader'
import { didYouMean, messageOf } from 'dsh-brand'
import { load, type YAMLException } from 'js-yaml'
import { BootError } from './error.ts'

const rowKeys = ['id', 'name', 'config', 'group', 'disabled', 'inject', 'intercept', 'isolate']
const patchKeys = [...rowKeys, 'insert']

/** The name under which nested lists of rows are mounted. */
const GROUP = 'cordis:group'

const isMapping = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function syntaxError(file: string, error: YAMLException): BootError {
  // js-yaml counts from zero; editors do not.
  const at = `${file}:${error.mark.line + 1}:${error.mark.column + 1}`
  return new BootError('YAML_SYNTAX', `${at}: ${error.reason}\n${error.mark.snippet}`)
}

/**
 * Reads a composition file (YAML, or JSON, which is YAML) as a list of rows, with `!!js` scalars as
 * expression nodes. Throws `BootError` that names the file, and the line where there is one.
 */
export async function readRows(file: string): Promise<EntryOptions[]> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    const message = `cannot read the composition ${file}: ${messageOf(error)}`
    throw new BootError('INVALID_FILE', message, { cause: error })
  }
  let rows: unknown
  try {
    rows = load(text, { schema: entryListSchema })
  } catch (error) {
    // It throws nothing else, too deep a nesting included.
    throw syntaxError(file, error as YAMLException)
  }
  if (!Array.isArray(rows)) {
    const came = rows === undefined || rows === null ? 'an empty file' : `a ${typeof rows}`
    throw new BootError('INVALID_FILE', `${file}: expected a list of rows, got ${came}`)
  }
  return rows as EntryOptions[]
}

/** One pass over the rows of one file, groups included. */
class RowCheck {
  readonly problems: string[] = []
  /** Known ids, with the name of the row that has it. */
  readonly ids = new Map<string, unknown>()

  list(rows: readonly unknown[], where: string): void {
    rows.forEach((row, index) => {
      this.row(row, `${where} ${index + 1}`)
    })
  }

  private row(row: unknown, where: string): void {
    if (!isMapping(row)) {
      this.problems.push(`${where} is not a mapping`)
      return
    }
    const label = typeof row.id === 'string' ? `row "${row.id}"` : where
    this.keys(row, rowKeys, label)
    if (typeof row.name !== 'string' || row.name === '') {
      this.problems.push(`${label} needs a "name": the plugin to mount`)
    }
    this.id(row, label)
    this.group(row, label)
  }

  keys(row: Record<string, unknown>, known: readonly string[], label: string): void {
    for (const key of Object.keys(row)) {
      // A misspelt "disabled" would leave a plugin on that the user meant to be off.
      if (known.includes(key)) continue
      this.problems.push(`${label} has an unknown key "${key}"${didYouMean(key, known)}`)
    }
  }

  private id(row: Record<string, unknown>, label: string): void {
    const { id } = row
    if (id === undefined) return
    if (typeof id !== 'string' || id === '' || id.includes(':')) {
      this.problems.push(`${label} has an invalid id: expected text without ":"`)
      return
    }
    if (this.ids.has(id)) {
      const names = `${String(this.ids.get(id))} and ${String(row.name)}`
      this.problems.push(`duplicate id "${id}" (${names}): cordis would keep only one of them`)
    }
    this.ids.set(id, row.name)
  }

  private group(row: Record<string, unknown>, label: string): void {
    if (row.name === GROUP && row.group !== true) {
      this.problems.push(`${label} needs "group: true", or patches cannot reach its rows`)
    }
    if (row.group !== true) return
    if (Array.isArray(row.config)) this.list(row.config, `${label}, row`)
    else this.problems.push(`${label} is a group: its config must be a list of rows`)
  }
}

/** Throws `INVALID_ROWS` with all that is wrong with the rows; returns their ids. */
export function checkRows(rows: readonly unknown[], file: string): ReadonlySet<string> {
  const check = new RowCheck()
  check.list(rows, 'row')
  if (check.problems.length > 0) {
    throw new BootError('INVALID_ROWS', `${file}: ${check.problems.join('; ')}`)
  }
  return new Set(check.ids.keys())
}

function checkPatchShape(patches: unknown, where: string): void {
  const check = new RowCheck()
  if (!Array.isArray(patches)) check.problems.push('expected a list')
  else {
    patches.forEach((patch: unknown, index) => {
      if (isMapping(patch)) check.keys(patch, patchKeys, `patch ${index + 1}`)
      else check.problems.push(`patch ${index + 1} is not a mapping`)
    })
  }
  if (check.problems.length > 0) {
    throw new BootError('INVALID_PATCH', `${where}: ${check.problems.join('; ')}`)
  }
}

const fill = (text: string, args: readonly unknown[]): string => {
  const rest = [...args]
  return text.replace(/%C/g, () => `"${String(rest.shift())}"`)
}

/**
 * The rows with the patches applied by cordis's own rules, and checked. Where cordis would warn and
 * skip a patch we throw `INVALID_PATCH`: a skipped patch may leave a live model adapter on.
 *
 * @param file the file that holds the rows
 * @param from who patches it: the file with the include row
 */
export function mergeRows(
  rows: EntryOptions[],
  patches: PatchOptions[] | undefined,
  file: string,
  from: string,
): EntryOptions[] {
  checkRows(rows, file)
  const where = `${file}, patched by ${from}`
  if (patches !== undefined) checkPatchShape(patches, where)
  const skipped: { text: string; id: unknown }[] = []
  const merged = applyEntryPatches(rows, patches, (text, ...args: unknown[]) => {
    skipped.push({ text: fill(text, args), id: args[0] })
  })
  const ids = checkRows(merged, where)
  if (skipped.length === 0) return merged
  const problems = skipped.map(({ text, id }) =>
    typeof id !== 'string' || ids.has(id) ? text : text + didYouMean(id, ids),
  )
  throw new BootError('INVALID_PATCH', `${where}: ${problems.join('; ')}`)
}
