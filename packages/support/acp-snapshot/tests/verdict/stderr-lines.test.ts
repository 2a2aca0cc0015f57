import { expect, it } from 'vitest'
import { tellingLines } from '../../src/verdict/stderr-lines.ts'

const CRASH = `loading
file:///a/cache.js:105
        throw new Error('the cache is gone')
        ^

Error: the cache is gone
    at Immediate.<anonymous> (file:///a/cache.js:105:15)
    at process.processImmediate (node:internal/timers:483:21)

Node.js v20.20.2
`

it('keeps of a crash what was thrown, and where', () => {
  expect(tellingLines(CRASH, 4)).toEqual([
    'file:///a/cache.js:105',
    "        throw new Error('the cache is gone')",
    'Error: the cache is gone',
    '    at Immediate.<anonymous> (file:///a/cache.js:105:15)',
  ])
  expect(tellingLines(CRASH, 1)).toEqual([
    '    at Immediate.<anonymous> (file:///a/cache.js:105:15)',
  ])
})

it('takes the last lines of other output, and none where there is no room', () => {
  expect(tellingLines('one\n\ntwo\nat noon\n', 9)).toEqual(['one', 'two', 'at noon'])
  expect(tellingLines('one\ntwo\n', 0)).toEqual([])
  expect(tellingLines('one\ntwo\n', -3)).toEqual([])
  expect(tellingLines('    at first', 1)).toEqual(['    at first'])
})
