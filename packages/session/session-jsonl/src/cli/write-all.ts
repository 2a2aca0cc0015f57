import type { Writable } from 'node:stream'

/**
 * Writes all pieces, each handed over before the next is asked for: memory stays flat however slow
 * the reader is. The stream stays open, and its `error` event is the owner's business.
 * @throws the stream's error.
 */
export async function writeAll(
  stream: Writable,
  pieces: AsyncIterable<string> | Iterable<string>,
): Promise<void> {
  for await (const piece of pieces) {
    await new Promise<void>((resolve, reject) => {
      stream.write(piece, (error) => (error ? reject(error) : resolve()))
    })
  }
}
