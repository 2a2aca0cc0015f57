import { readFile } from 'node:fs/promises'
import { messageOf } from 'dsh-brand'
import { WireError } from '../error.ts'
import type { WireScript } from '../types.ts'
import { findClashes } from './clashes.ts'
import { scriptSchema } from './schema.ts'

/**
 * Reads and checks a script file.
 * @throws WireError `BAD_SCRIPT`, naming the file and, where it can, the path inside it.
 */
export async function loadWireScript(file: string): Promise<WireScript> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    throw new WireError('BAD_SCRIPT', `cannot read the wire script ${file}: ${messageOf(error)}`, {
      cause: error,
    })
  }
  return parseWireScript(text, file)
}

/**
 * Checks the text of a script. `source` is what messages call it.
 * @throws WireError `BAD_SCRIPT`.
 */
export function parseWireScript(text: string, source: string): WireScript {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new WireError('BAD_SCRIPT', `${source} is not JSON: ${messageOf(error)}`, {
      cause: error,
    })
  }
  return checkWireScript(value, source)
}

/**
 * Checks a script that is a value already.
 * @throws WireError `BAD_SCRIPT`, naming every fault with its path.
 */
export function checkWireScript(value: unknown, source: string): WireScript {
  const result = scriptSchema.safeParse(value)
  const faults = result.success
    ? findClashes(result.data)
    : result.error.issues.map((issue) => ({ path: issue.path, message: issue.message }))
  if (result.success && faults.length === 0) {
    const { $schema: _forEditors, ...script } = result.data
    return script
  }
  const shown = faults.slice(0, MAX_FAULTS).map((fault) => `  ${at(fault.path)}: ${fault.message}`)
  if (faults.length > shown.length) shown.push(`  and ${faults.length - shown.length} more`)
  throw new WireError('BAD_SCRIPT', `${source} is not a wire script:\n${shown.join('\n')}`)
}

const MAX_FAULTS = 20

function at(path: readonly PropertyKey[]): string {
  if (path.length === 0) return '(whole file)'
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`
    return text === '' ? String(key) : `${text}.${String(key)}`
  }, '')
}
