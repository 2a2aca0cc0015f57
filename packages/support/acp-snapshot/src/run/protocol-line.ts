import type { AnyMessage } from '@agentclientprotocol/sdk'
import { isTooDeep } from '../log/json-scan.ts'
import type { LineProblem } from './types.ts'

/** One line of stdout, read strictly. `text` is always there, with replacement characters at worst. */
export type ProtocolLine =
  | { readonly text: string; readonly message: AnyMessage }
  | { readonly text: string; readonly problem: LineProblem }

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export function readProtocolLine(line: Buffer): ProtocolLine {
  let text: string
  try {
    text = strict.decode(line)
  } catch {
    return { text: line.toString('utf8'), problem: 'not-utf8' }
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { text, problem: 'not-json' }
  }
  if (isTooDeep(text)) return { text, problem: 'too-deep' }
  return isMessage(value) ? { text, message: value } : { text, problem: 'not-json-rpc' }
}

/** ACP has no batches, so an array is no message. */
function isMessage(value: unknown): value is AnyMessage {
  if (typeof value !== 'object' || value === null) return false
  if (!('jsonrpc' in value) || value.jsonrpc !== '2.0') return false
  if ('method' in value) {
    return typeof value.method === 'string' && (!('id' in value) || isId(value.id))
  }
  if (!('id' in value) || !isId(value.id)) return false
  return 'error' in value ? !('result' in value) && isError(value.error) : 'result' in value
}

function isError(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  return (
    'code' in error &&
    Number.isInteger(error.code) &&
    'message' in error &&
    typeof error.message === 'string'
  )
}

function isId(id: unknown): boolean {
  return id === null || typeof id === 'string' || typeof id === 'number'
}
