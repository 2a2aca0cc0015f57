import { isFields } from '../log/lines.ts'
import { STDOUT_FILE, SYSTEM_FILE } from '../scenario/files.ts'
import type { FileDifference } from './cause.ts'

/**
 * Both values as people read them: a line of a prompt without quotes; of a whole event or message first
 * what sort it is, then what it holds. Where nothing would differ any more, the JSON texts stay.
 */
export function forReading(difference: FileDifference): [string | undefined, string | undefined] {
  const { file, path, expected, actual } = difference
  const read = readerFor(file, path)
  const shown = [expected, actual].map((text) => (text === undefined ? text : read(text)))
  const [left, right] = shown
  return left === right ? [expected, actual] : [left, right]
}

function readerFor(file: string, path: string): (text: string) => string {
  if (file === SYSTEM_FILE) return (text) => String(JSON.parse(text))
  if (path !== '') return (text) => text
  return file === STDOUT_FILE ? messageText : eventText
}

function eventText(text: string): string {
  const value: unknown = JSON.parse(text)
  if (!isFields(value) || value['type'] === 'session' || !('data' in value)) return text
  return `${String(value['type'])} ${JSON.stringify(value['data'])}`
}

/** As `agent_message_chunk {…}`, `session/update {…}`, or `result {…}`. */
function messageText(text: string): string {
  const value: unknown = JSON.parse(text)
  if (!isFields(value)) return text
  const { method, params } = value
  if (typeof method !== 'string') {
    const key = 'error' in value ? 'error' : 'result'
    return `${key} ${JSON.stringify(value[key])}`
  }
  const update = isFields(params) ? params['update'] : undefined
  if (!isFields(update)) return `${method} ${JSON.stringify(params ?? null)}`
  const { sessionUpdate, ...rest } = update
  return `${String(sessionUpdate)} ${JSON.stringify(rest)}`
}
