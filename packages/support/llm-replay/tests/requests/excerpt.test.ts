import { expect, it } from 'vitest'
import { describeDifference } from '../../src/requests/excerpt.ts'

const path = ['messages', 4, 'content']

it.each<[(string | number)[], string]>([
  [['system'], 'system'],
  [['messages', 4, 'content', 0, 'text'], 'messages[4].content[0].text'],
  [['tools', 0, 'parameters', 'a-b', '$c'], 'tools[0].parameters["a-b"].$c'],
  [['config', '1'], 'config["1"]'],
])('writes the path %j', (path, expected) => {
  expect(describeDifference({ path, expected: 1, actual: 2 })).toEqual({
    path: expected,
    expected: '1',
    actual: '2',
  })
})

it('leaves out a side that has nothing there', () => {
  expect(describeDifference({ path, expected: { a: 'b' }, actual: undefined })).toEqual({
    path: 'messages[4].content',
    expected: '{"a":"b"}',
  })
  expect(describeDifference({ path, expected: undefined, actual: null })).toEqual({
    path: 'messages[4].content',
    actual: 'null',
  })
})

it('shows whole values as long as both are short', () => {
  const [expected, actual] = ['x'.repeat(100) + 'y'.repeat(58), 'x'.repeat(100)]
  expect(describeDifference({ path, expected, actual })).toMatchObject({
    expected: `"${expected}"`,
    actual: `"${actual}"`,
  })
})

it('of long ones shows where they part', () => {
  const same = 'x'.repeat(200)
  expect(
    describeDifference({ path, expected: `${same}yes`, actual: `${same}no${'z'.repeat(200)}` }),
  ).toMatchObject({
    expected: `…${'x'.repeat(30)}yes"`,
    actual: `…${'x'.repeat(30)}no${'z'.repeat(128)}…`,
  })
  const long = 'y'.repeat(159)
  expect(describeDifference({ path, expected: long, actual: 'y' })).toMatchObject({
    expected: `"${'y'.repeat(159)}…`,
    actual: '"y"',
  })
  expect(describeDifference({ path, expected: 'y'.repeat(300), actual: undefined })).toEqual({
    path: 'messages[4].content',
    expected: `"${'y'.repeat(159)}…`,
  })
  // One is the beginning of the other.
  expect(describeDifference({ path, expected: [same], actual: [same, 1] })).toMatchObject({
    expected: `…${'x'.repeat(29)}"]`,
    actual: `…${'x'.repeat(29)}",1]`,
  })
})
