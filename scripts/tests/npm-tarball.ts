import { gzipSync } from 'node:zlib'

/** A tarball in the form in which npm has them. */
export function tarball(files: Readonly<Record<string, string>>): Buffer {
  const parts = Object.entries(files).flatMap(([path, text]) => {
    const header = Buffer.alloc(512)
    header.write(`package/${path}`, 0)
    header.write(Buffer.byteLength(text).toString(8).padStart(11, '0'), 124)
    header.write('0', 156)
    const body = Buffer.alloc(Math.ceil(Buffer.byteLength(text) / 512) * 512)
    body.write(text)
    return [header, body]
  })
  return gzipSync(Buffer.concat([...parts, Buffer.alloc(1024)]))
}
