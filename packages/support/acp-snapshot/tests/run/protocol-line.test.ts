import { describe, expect, test } from 'vitest'
import { readProtocolLine } from '../../src/run/protocol-line.ts'

const read = (text: string) => readProtocolLine(Buffer.from(text))
const envelope = (rest: string): string => `{"jsonrpc":"2.0",${rest}}`

describe('readProtocolLine', () => {
  test('takes nothing that is nested too deep to be worked with', () => {
    const deep = (depth: number) =>
      envelope(`"id":1,"result":${'['.repeat(depth)}${']'.repeat(depth)}`)
    expect(read(deep(499))).toHaveProperty('message')
    expect(read(deep(20_000))).toEqual({ text: deep(20_000), problem: 'too-deep' })
  })

  test.each([
    '"method":"session/update"',
    '"method":"x","params":{"a":1},"id":0',
    '"method":"x","id":"a"',
    '"id":1,"result":null',
    '"id":null,"error":{"code":-32700,"message":"Parse error"}',
  ])('takes %s', (rest) => {
    const text = envelope(rest)
    expect(read(text)).toEqual({ text, message: JSON.parse(text) })
  })

  test.each([
    '"method":1',
    '"method":"x","id":{}',
    '"id":true,"result":1',
    '"result":1',
    '"id":1',
    '"id":1,"result":1,"error":{"code":1,"message":"m"}',
    '"id":1,"error":null',
    '"id":1,"error":"no"',
    '"id":1,"error":{"code":1.5,"message":"m"}',
    '"id":1,"error":{"message":"m"}',
    '"id":1,"error":{"code":1}',
    '"id":1,"error":{"code":1,"message":2}',
  ])('does not take %s', (rest) => {
    expect(read(envelope(rest))).toEqual({ text: envelope(rest), problem: 'not-json-rpc' })
  })

  test.each(['null', '1', '[]', '{}', '{"jsonrpc":"1.0","method":"x"}'])(
    'does not take %s',
    (text) => {
      expect(read(text)).toEqual({ text, problem: 'not-json-rpc' })
    },
  )

  test.each(['', ' ', 'hello', '{"jsonrpc":', '\ufeff{"jsonrpc":"2.0","method":"x"}'])(
    'is no JSON: %j',
    (text) => {
      expect(read(text)).toEqual({ text, problem: 'not-json' })
    },
  )

  test('is no UTF-8', () => {
    expect(readProtocolLine(Buffer.from([0x61, 0xc3]))).toEqual({
      text: 'a\ufffd',
      problem: 'not-utf8',
    })
  })
})
