import { DshError } from 'dsh-brand'
import { failureOutcome, textOutcome, ToolError } from 'dsh-tools'
import { expect, test } from 'vitest'

test('a text outcome is one block and no error', () => {
  expect(textOutcome('a\nb')).toEqual({ content: [{ type: 'text', text: 'a\nb' }] })
})

test('an expected failure carries the name of its class and its code, in this order', () => {
  class FsError extends ToolError {}
  expect(JSON.stringify(failureOutcome(new FsError('FS_STALE_VERSION', 'stale')))).toBe(
    '{"content":[{"type":"text","text":"Error: stale"}],"isError":true,"error":{"name":"FsError","code":"FS_STALE_VERSION"}}',
  )
})

test('so does every other error of this project', () => {
  class SessionError extends DshError {}
  expect(failureOutcome(new SessionError('SESSION_DISPOSED', 'gone')).error).toEqual({
    name: 'SessionError',
    code: 'SESSION_DISPOSED',
  })
})

test.each([
  [new TypeError('boom'), 'Error: boom'],
  [Object.assign(new Error('no such file'), { code: 'ENOENT' }), 'Error: no such file'],
  ['text', 'Error: text'],
  [undefined, 'Error: undefined'],
  [Object.create(null), 'Error: unknown error'],
])('anything else is its message alone: %s', (thrown, text) => {
  expect(failureOutcome(thrown)).toEqual({ content: [{ type: 'text', text }], isError: true })
})
