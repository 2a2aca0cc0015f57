import { expect, it } from 'vitest'
import { readArguments } from '../src/args.ts'

it.each([
  [[], {}],
  [['--resume', 'id'], { resume: 'id' }],
  [['--resume=id'], { resume: 'id' }],
])('reads %j', (args, read) => {
  expect(readArguments(args)).toEqual(read)
})

it.each([
  [['--resume'], /--resume/],
  [['--resume='], /^Option '--resume' needs the id of a session\n/],
  [['--resumed', 'id'], /--resumed/],
  [['Run it.'], /Run it\./],
])('refuses %j, and says how it is used', (args, reason) => {
  const refused = expect(() => readArguments(args))
  refused.toThrow(
    expect.objectContaining({ code: 'USAGE', message: expect.stringMatching(reason) }),
  )
  refused.toThrow(/\nusage: \[--resume ID\]/)
})
