import { messageOf } from 'dsh-brand'
import { LogConverter, type LogLayout, SessionError } from 'dsh-session'
import { linesOf } from './source.ts'

/**
 * Rewrites a log in the other layout, piece by piece. Unlike loading, this drops nothing: a log that
 * cannot be read whole is an error.
 * @throws SessionError `CORRUPT_LOG` naming file and line, `UNSUPPORTED_VERSION`; what reading throws.
 */
export async function* convertLog(
  file: string,
  bytes: AsyncIterable<Uint8Array>,
  layout: LogLayout,
): AsyncGenerator<string> {
  let out = ''
  const converter = new LogConverter(layout, (line) => {
    out += `${line}\n`
  })
  let number = 0
  for await (const lines of linesOf(bytes)) {
    for (const { text, ...line } of lines) {
      number = line.number
      try {
        if (text === undefined) throw new SessionError('CORRUPT_LOG', 'not UTF-8')
        converter.line(text)
      } catch (cause) {
        throw new SessionError('CORRUPT_LOG', `${file}:${number}: ${messageOf(cause)}`, { cause })
      }
    }
    yield out
    out = ''
  }
  if (number === 0) throw new SessionError('CORRUPT_LOG', `${file}: the session log is empty`)
  converter.end()
  yield out
}
