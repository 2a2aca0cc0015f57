import { inspect } from 'node:util'
import { Logger, type Message } from '@deepseek-ai/cordis'

const show = (value: unknown): string =>
  inspect(value, { breakLength: Number.POSITIVE_INFINITY, compact: true, depth: 3, colors: false })

/** How many causes of an error are followed: a chain may be a ring. */
const CAUSES = 8

/** The causes of an error, nearest first. */
export function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = []
  let at = error
  while (at instanceof Error && at.cause !== undefined && causes.length < CAUSES) {
    at = at.cause
    causes.push(at)
  }
  return causes
}

function own(error: unknown): string {
  if (!(error instanceof Error)) return typeof error === 'string' ? error : show(error)
  const code = (error as { code?: unknown }).code
  // Cordis turns what is thrown and is no error into one with this text.
  if (error.message === '[object Object]') return 'threw an object that is no Error'
  const text = error.message === '' ? error.name : error.message
  return typeof code === 'string' && !text.includes(code) ? `${text} [${code}]` : text
}

/**
 * What was thrown, for people: an error's message, code and causes, else the value itself. A cause
 * that the message quotes already is not repeated. Never throws.
 */
export function describe(error: unknown): string {
  let text = own(error)
  for (const cause of causesOf(error)) {
    const quoted = cause instanceof Error ? cause.message : own(cause)
    if (!text.includes(quoted)) text += `; caused by: ${own(cause)}`
  }
  return text
}

const plain = {
  colors: false,
  formatters: { o: show, O: show },
  /* v8 ignore next -- formatting wants an exporter, and never calls it */
  export: () => undefined,
} as const

/**
 * A log message as text. Errors give their message, not their stack and not `{}`; other objects are
 * inspected; printf placeholders work as in cordis.
 */
export function describeMessage(message: Message): string {
  const args: unknown[] = message.args.map((arg: unknown) =>
    arg instanceof Error ? describe(arg) : arg,
  )
  // An error's message is not a format, whatever percent signs it holds.
  if (message.args[0] instanceof Error) args.unshift('%s')
  return Logger.format(plain, { ...message, args })
}

const escaped = (char: string): string =>
  char === '\n' ? '\\n' : `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Makes one line of it: line breaks and other control characters are written as escapes. */
export function oneLine(text: string): string {
  return text.replace(/\p{Cc}/gu, escaped)
}
