import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { readBody } from '../../src/server/body.ts'

const body = (...parts: Buffer[]): IncomingMessage => Readable.from(parts) as IncomingMessage

test('a body is read whole, characters cut by the network included', async () => {
  const bytes = Buffer.from('a😀')
  const read = await readBody(body(bytes.subarray(0, 3), bytes.subarray(3)), 5)
  expect(read).toEqual({ kind: 'text', text: 'a😀' })
})

test('a body over the limit is read to its end', async () => {
  const source = body(Buffer.alloc(3), Buffer.alloc(3), Buffer.alloc(1))
  expect(await readBody(source, 5)).toEqual({ kind: 'too_large' })
  expect(source.readableEnded).toBe(true)
})

test('a body that breaks off is incomplete', async () => {
  const source = new Readable({
    read() {
      this.destroy(new Error('gone'))
    },
  })
  expect(await readBody(source as IncomingMessage, 5)).toEqual({ kind: 'incomplete' })
})
