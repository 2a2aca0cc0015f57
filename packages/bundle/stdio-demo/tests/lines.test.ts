import { PassThrough, Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { linesOf, MAX_LINE } from '../src/lines.ts'

const read = async (...chunks: (string | Buffer)[]): Promise<string[]> => {
  const lines: string[] = []
  for await (const line of linesOf(Readable.from(chunks, { objectMode: false }))) lines.push(line)
  return lines
}

it.each([
  [[], []],
  [['a\nb\n'], ['a', 'b']],
  [['a\n\nb'], ['a', '', 'b']],
  [
    ['a', 'b\r', '\nc\r\n', 'd'],
    ['ab', 'c', 'd'],
  ],
  [['a\rb\n'], ['a\rb']],
])('of %j', async (chunks, lines) => {
  expect(await read(...chunks)).toEqual(lines)
})

it('of characters that the pipe has cut', async () => {
  const bytes = Buffer.from('é😀\n')
  expect(await read(...[...bytes].map((byte) => Buffer.from([byte])))).toEqual(['é😀'])
})

it('gives a line as soon as it is there', async () => {
  const input = new PassThrough()
  const lines = linesOf(input)
  input.write('a\nb')
  expect(await lines.next()).toEqual({ done: false, value: 'a' })
  const next = lines.next()
  input.write('c\n')
  expect(await next).toEqual({ done: false, value: 'bc' })
})

it.each([
  ['with its end', [`${'x'.repeat(MAX_LINE)}\n`], 1],
  ['without', ['x'.repeat(MAX_LINE)], 1],
])('takes the longest line, %s', async (_name, chunks, count) => {
  expect(await read(...chunks)).toHaveLength(count)
})

it.each([
  ['with its end', [`${'x'.repeat(MAX_LINE + 1)}\n`]],
  ['that goes on', ['x'.repeat(MAX_LINE), 'xx']],
])('refuses a longer one, %s', async (_name, chunks) => {
  await expect(read(...chunks)).rejects.toMatchObject({
    code: 'LINE_TOO_LONG',
    message: expect.stringContaining('at most 1048576 characters'),
  })
})

it('fails as the stream does', async () => {
  const input = new PassThrough()
  const next = linesOf(input).next()
  input.destroy(new Error('EIO'))
  await expect(next).rejects.toThrow('EIO')
})
