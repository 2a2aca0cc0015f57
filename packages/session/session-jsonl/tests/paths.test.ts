import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeSegment, logPath, projectName } from '../src/index.ts'

test.each([
  ['0f7a-B_.9', '0f7a-B_.9'],
  ['a/b', 'a~002Fb'],
  ['a~b', 'a~007Eb'],
  ['é', '~00E9'],
  ['😀', '~D83D~DE00'],
  ['\0', '~0000'],
  ['.', '~002E'],
  ['..', '~002E~002E'],
  ['...', '...'],
  ['{{session}}', '~007B~007Bsession~007D~007D'],
])('encodes %j as %s', (text, expected) => {
  expect(encodeSegment(text)).toBe(expected)
})

test('an empty id is an error', () => {
  expect(() => encodeSegment('')).toThrow(expect.objectContaining({ code: 'INVALID_SESSION' }))
})

test('no two ids share a segment, and none leaves its folder (property)', () => {
  const text = fc.string({ minLength: 1, maxLength: 8, unit: 'binary' })
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(encodeSegment(a)).toMatch(/^(?!\.\.?$)[A-Za-z0-9._~-]+$/)
      expect(encodeSegment(a) === encodeSegment(b)).toBe(a === b)
    }),
  )
})

test('a project is named by the tail of its path and a hash of the whole', () => {
  expect(projectName('/home/me/my project')).toMatch(/^my-project-[0-9a-f]{12}$/)
  expect(projectName('/')).toMatch(/^root-[0-9a-f]{12}$/)
  expect(projectName('/a/work')).not.toBe(projectName('/b/work'))
  expect(projectName('/a/work/')).toBe(projectName('/a/work'))
  expect(projectName(`/x/${'long'.repeat(50)}`)).toMatch(/^(long){10}-[0-9a-f]{12}$/)
  expect(projectName('/work')).toBe('work-0c9a453fad61')
})

test('a log lies under its project and session', () => {
  expect(logPath('/root', '/work', 'a/b')).toBe(
    `/root/${projectName('/work')}/a~002Fb/session.jsonl`,
  )
})
