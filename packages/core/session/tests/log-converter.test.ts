import { expect, test } from 'vitest'
import { LogConverter, type LogLayout } from '../src/log-converter.ts'

const HEAD = '{"type":"session","id":"a","createdAt":0}'
const piece = (seq: number, text: string): string =>
  `{"type":"assistant/chunk","seq":${seq},"time":0,"data":{"turn":1,"step":1,"chunk":{"type":"text-delta","index":0,"text":"${text}"}}}`
const odd = '{ "type":"x","seq":0,"time":0,"data":1 }'
const plain = [HEAD, odd, piece(1, 'a'), piece(2, 'b'), piece(3, 'c')]
const row = '"data":{"turn":1,"step":1,"index":0,"dt":[0,0],"texts":["a","b","c"]}}'
const packed = [HEAD, odd, `{"type":"text-chunks","seq0":1,"time0":0,${row}`]

function convert(layout: LogLayout, lines: readonly string[]): string[] {
  const out: string[] = []
  const converter = new LogConverter(layout, (line) => out.push(line))
  for (const line of lines) converter.line(line)
  converter.end()
  return out
}

test('goes there and back, and keeps the bytes of what it does not concern', () => {
  expect(convert('pack', plain)).toEqual(packed)
  expect(convert('unpack', packed)).toEqual(plain)
  expect(convert('pack', packed)).toEqual(packed)
  expect(convert('unpack', plain)).toEqual(plain)
})

test('holds back a run until it is at its end', () => {
  const out: string[] = []
  const converter = new LogConverter('pack', (line) => out.push(line))
  for (const line of plain) converter.line(line)
  expect(out).toEqual([HEAD, odd])
  converter.end()
  expect(out).toEqual(packed)
})

test('completes a projected log', () => {
  const bare = [HEAD, '{"type":"x","data":1}', `{"type":"text-chunks",${row}`]
  const complete = [HEAD, '{"type":"x","seq":0,"time":0,"data":1}']
  expect(convert('unpack', bare)).toEqual([...complete, ...plain.slice(2)])
  expect(convert('pack', bare)).toEqual([...complete, packed[2]])
})

test('takes gaps in seq, and refuses what is no log', () => {
  const gap = [HEAD, odd, piece(7, 'a')]
  expect(convert('pack', gap)).toEqual(gap)
  expect(() => convert('pack', [odd])).toThrow('"type" must be "session"')
  expect(() => convert('unpack', [HEAD, '{}'])).toThrow('"type"')
})
