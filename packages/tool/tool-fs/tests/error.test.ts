import { ToolError } from 'dsh-tools'
import { expect, test } from 'vitest'
import { errnoOf, FsError, fromErrno } from '../src/error.ts'

const errno = (code: string): Error =>
  Object.assign(new Error(`${code}: in words of node`), { code })

test.each([
  ['ENOENT', 'FS_NOT_FOUND', '"/w/a" does not exist'],
  ['EISDIR', 'FS_IS_DIRECTORY', '"/w/a" is a directory'],
  ['ENOTDIR', 'FS_NOT_DIRECTORY', 'a parent of "/w/a" is not a directory'],
  ['EEXIST', 'FS_NOT_DIRECTORY', 'a parent of "/w/a" is not a directory'],
  ['EACCES', 'FS_DENIED', 'permission denied: "/w/a"'],
  ['EPERM', 'FS_DENIED', 'permission denied: "/w/a"'],
  ['ENAMETOOLONG', 'FS_IO', 'cannot access "/w/a": ENAMETOOLONG'],
])('%s is %s', (code, expected, message) => {
  const cause = errno(code)
  const error = fromErrno(cause, '/w/a')
  expect(error).toBeInstanceOf(FsError)
  expect(error).toBeInstanceOf(ToolError)
  expect(error).toMatchObject({ name: 'FsError', code: expected, message })
  expect(error.cause).toBe(cause)
})

test('what has no such code is told by its message', () => {
  expect(fromErrno(new Error('odd'), '/w/a').message).toBe('cannot access "/w/a": odd')
  expect(fromErrno('odd', '/w/a').message).toBe('cannot access "/w/a": odd')
})

test('our own errors pass', () => {
  const error = new FsError('FS_BINARY', 'x')
  expect(fromErrno(error, '/w/a')).toBe(error)
})

test('only a text is an errno name', () => {
  expect(errnoOf(errno('ENOENT'))).toBe('ENOENT')
  expect(errnoOf({ code: 2 })).toBeUndefined()
  expect(errnoOf(undefined)).toBeUndefined()
})
