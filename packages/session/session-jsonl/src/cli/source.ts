import { createReadStream } from 'node:fs'
import { messageOf } from 'dsh-brand'
import { type Line, LineReader } from '../lines.ts'
import { type CliHost, STDIN } from './host.ts'

/** The bytes of a file, or of standard input. Nothing is opened before the first is asked for. */
export async function* bytesOf(host: CliHost, file: string): AsyncGenerator<Uint8Array> {
  if (file === STDIN) {
    yield* host.stdin
    return
  }
  try {
    yield* createReadStream(file)
  } catch (cause) {
    // The system names a file when it is opened, not when it is read.
    const message = messageOf(cause)
    throw message.includes(file) ? cause : new Error(`${file}: ${message}`, { cause })
  }
}

/** All lines, as many at a time as came in together; the very last one may be torn. */
export async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<readonly Line[]> {
  const splitter = new LineReader()
  for await (const part of bytes) {
    yield splitter.push(Buffer.from(part.buffer, part.byteOffset, part.length))
  }
  const rest = splitter.rest()
  if (rest !== undefined) yield [rest]
}
