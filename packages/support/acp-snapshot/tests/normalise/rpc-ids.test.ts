import { expect, it } from 'vitest'
import { RpcIds } from '../../src/normalise/rpc-ids.ts'

it('numbers answers and own requests apart, from 1 by first sight', () => {
  const ids = new RpcIds()
  const messages = [
    { jsonrpc: '2.0', id: 7, result: {} },
    { id: 7, method: 'session/request_permission' },
    { id: '7', result: {} },
    { id: 'abc', method: 'fs/read' },
    { id: 7, error: {} },
    { method: '$/cancel_request', params: { requestId: 'abc', x: 1 } },
  ]
  expect(messages.map((message) => JSON.stringify(ids.renumber(message)))).toEqual([
    '{"jsonrpc":"2.0","id":1,"result":{}}',
    '{"id":1,"method":"session/request_permission"}',
    '{"id":2,"result":{}}',
    '{"id":2,"method":"fs/read"}',
    '{"id":1,"error":{}}',
    '{"method":"$/cancel_request","params":{"requestId":2,"x":1}}',
  ])
})

it.each([
  { id: null, error: {} },
  { method: 'session/update', params: { requestId: 7 } },
  { method: '$/cancel_request', params: {} },
  { method: '$/cancel_request' },
])('leaves %j', (message) => {
  expect(new RpcIds().renumber(message)).toBe(message)
})
