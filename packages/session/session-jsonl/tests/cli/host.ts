import { Readable, Writable } from 'node:stream'
import { type ExitCode, main } from '../../src/cli.ts'

export interface Ran {
  readonly code: ExitCode
  readonly out: string
  readonly err: string
}

/** Runs a command line on the given standard input, in pieces of the given size. */
export async function run(
  args: readonly string[],
  input: string | Uint8Array = '',
  pieceSize = 7,
): Promise<Ran> {
  const bytes = Buffer.from(input)
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length; at += pieceSize) {
    pieces.push(bytes.subarray(at, at + pieceSize))
  }
  let out = ''
  let err = ''
  const stdout = new Writable({
    decodeStrings: false,
    write(text: string, _, done) {
      out += text
      done()
    },
  })
  const code = await main({
    argv: ['node', 'dsh-session', ...args],
    stdin: Readable.from(pieces),
    stdout,
    stderr: { write: (text) => (err += text) },
  })
  return { code, out, err }
}
