import { expect, it } from 'vitest'
import { pinnedHeader } from '../../src/verdict/pinned.ts'
import { header, jsonl } from '../temp.ts'

const request = (header: unknown) => ({ type: 'request/header', seq: 0, time: 0, data: { header } })

it('takes the first request header for people to read', () => {
  const text = jsonl(
    header('a'),
    { type: 'x', seq: 0, data: { header: { system: 'no' } } },
    { ...request(0), data: 3 },
    request(3),
    request({ system: 'S\nT', tools: [{ name: 'a' }] }),
    request({ system: 'later' }),
  )
  expect(pinnedHeader(text)).toEqual({
    system: 'S\nT\n',
    tools: '[\n  {\n    "name": "a"\n  }\n]\n',
  })
})

it('takes what is absent for nothing', () => {
  expect(pinnedHeader(jsonl(request({})))).toEqual({ system: '\n', tools: '[]\n' })
  expect(pinnedHeader('')).toBeUndefined()
})
