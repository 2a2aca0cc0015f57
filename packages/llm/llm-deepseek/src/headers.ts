import { type GenerateOptions, type LineageOf, LlmError } from 'dsh-llm'
import type { Settings } from './config.ts'

/**
 * The headers of a call. Everything is checked here, because fetch quotes a value that it refuses,
 * and one of the values is the key.
 * @throws LlmError `AUTH` without a usable key; `INVALID_REQUEST` when `sessionHeader` is set and
 *   the lineage of the calling session is not known.
 */
export function buildHeaders(
  settings: Pick<Settings, 'apiKey' | 'sessionHeader'>,
  options: Pick<GenerateOptions, 'sessionId'>,
  lineageOf: LineageOf,
): Record<string, string> {
  const { apiKey, sessionHeader } = settings
  if (apiKey === undefined) {
    throw new LlmError('AUTH', 'no API key; set $DEEPSEEK_API_KEY, or apiKey in the configuration')
  }
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new LlmError(
      'AUTH',
      'the API key holds a character that no key has (a space, a control character or a letter outside ASCII); check $DEEPSEEK_API_KEY or apiKey',
    )
  }
  const headers: Record<string, string> = {
    authorization: `Bearer ${apiKey}`,
    'content-type': 'application/json',
    accept: 'text/event-stream',
  }
  if (sessionHeader !== undefined && options.sessionId !== undefined) {
    const lineage = lineageOf(options.sessionId)
    if (lineage === undefined || !/^[\x21-\x7e]+$/.test(lineage)) {
      throw new LlmError(
        'INVALID_REQUEST',
        `sessionHeader is set, but the lineage of the session "${options.sessionId}" is ${lineage === undefined ? 'not known' : 'not printable ASCII'}; unset sessionHeader or provide lineageOf`,
      )
    }
    headers[sessionHeader] = lineage
  }
  return headers
}
