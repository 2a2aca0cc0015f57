import { expect, it } from 'vitest'
import { compareTools } from '../../src/verdict/pinned-difference.ts'

const text = (...tools: unknown[]) => `${JSON.stringify(tools, null, 2)}\n`
const bash = { name: 'bash', parameters: { type: 'object' } }
const read = { name: 'read' }

it('begins the path with the name of the tool, and keeps the line of the file', () => {
  const changed = { ...bash, parameters: { type: 'object', maxLength: 4 } }
  expect(compareTools(text(read, bash), text(read, changed))).toEqual({
    line: 8,
    path: 'bash.parameters.maxLength',
    expected: undefined,
    actual: '4',
  })
  expect(compareTools(text(bash), text(bash))).toBeUndefined()
})

it('names a tool that is new, and not all that come after it', () => {
  expect(compareTools(text(read), text(bash, read))).toMatchObject({
    path: 'bash',
    expected: undefined,
  })
})

it.each([
  ['no JSON', 'x\n', 'y\n'],
  ['no list', '{"a":1}\n', '{"a":2}\n'],
  ['tools without a name', text({ a: 1 }), text({ a: 2 })],
  ['two tools of one name', text(read, { ...read, a: 1 }), text(read, { ...read, a: 2 })],
  ['the live side alone', text(read), 'x\n'],
  ['another spelling', '[]\n', '[ ]\n'],
])('compares as text what is %s', (_what, expected, actual) => {
  const difference = compareTools(expected, actual)
  expect(difference?.path).toBe('')
  expect(difference?.expected).not.toBe(difference?.actual)
})
