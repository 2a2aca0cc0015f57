import { expect, test } from 'vitest'
import { headerOf, selectHeaders } from '../../src/server/headers.ts'

test('a few headers are kept, keys are not', () => {
  const headers = {
    accept: 'text/event-stream',
    authorization: 'Bearer sk-secret',
    'user-agent': 'x/1',
    'x-api-key': 'sk-other',
    'x-lane': '0/1',
  }
  expect(selectHeaders(headers, 'x-lane')).toEqual({
    accept: 'text/event-stream',
    authorization: 'Bearer ***',
    'user-agent': 'x/1',
    'x-lane': '0/1',
  })
  expect(selectHeaders({ authorization: 'bearer x' }, 'x')).toEqual({ authorization: 'Bearer ***' })
  expect(selectHeaders({ authorization: 'sk-secret' }, 'x')).toEqual({ authorization: '***' })
  expect(selectHeaders({ authorization: 'Bearer sk' }, 'authorization')).toEqual({
    authorization: 'Bearer ***',
  })
})

test('a header that came twice is one value', () => {
  expect(headerOf({ a: ['1', '2'] }, 'a')).toBe('1, 2')
  expect(headerOf({}, 'a')).toBeUndefined()
})
