import { expect, it } from 'vitest'
import { formatPath } from '../../src/log/path.ts'

it.each([
  [[], ''],
  [['data'], 'data'],
  [['data', 'content', 0, 'text'], 'data.content[0].text'],
  [[2, 'op'], '[2].op'],
  [['a b', 'c'], '["a b"].c'],
  [['x', 'not-a-name'], 'x["not-a-name"]'],
  [['9x'], '["9x"]'],
  [['$a_1'], '$a_1'],
])('formats %j as %j', (path, text) => {
  expect(formatPath(path)).toBe(text)
})
