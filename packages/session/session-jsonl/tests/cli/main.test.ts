import { Readable, Writable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { EXIT, main } from '../../src/cli.ts'
import { systemError } from '../faults.ts'
import { run } from './host.ts'
import { plain } from './logs.ts'

describe('the command line', () => {
  test.each([['--help'], ['check', '-h']])('%s %s shows how it is used', async (...args) => {
    const { code, out, err } = await run(args.filter(Boolean))
    expect([code, err]).toEqual([0, ''])
    for (const word of [
      'check [--json]',
      'pack [FILE]',
      'unpack [FILE]',
      '--write',
      'Exit codes',
    ]) {
      expect(out).toContain(word)
    }
  })

  test.each<[string[], string]>([
    [[], 'no command given; commands: check, pack, unpack (see --help)\n'],
    [['repair'], 'unknown command "repair"; commands: check, pack, unpack (see --help)\n'],
    [['check', '--write'], 'check changes nothing; --write belongs to pack and unpack\n'],
    [['pack', '--json'], '--json belongs to check\n'],
    [['pack', 'a', 'b'], 'pack writes one log to standard output; for several use --write\n'],
    [['unpack', '-w'], 'unpack --write needs the names of the files to rewrite\n'],
    [['unpack', '-w', 'a', '-'], 'unpack --write needs the names of the files to rewrite\n'],
  ])('%j is a wrong use', async (args, err) => {
    expect(await run(args)).toEqual({ code: EXIT.failed, out: '', err })
  })

  test('an option that does not exist is a wrong use', async () => {
    const { code, err } = await run(['check', '--fix'])
    expect(code).toBe(EXIT.failed)
    expect(err).toContain("'--fix'")
  })

  test.each<[string, number, string]>([
    ['EPIPE', EXIT.sound, ''],
    ['ENOSPC', EXIT.failed, 'ENOSPC: provoked\n'],
  ])('a reader that is gone is no failure, a full disk is: %s', async (name, code, err) => {
    let said = ''
    const stdout = new Writable({ write: (_, _encoding, done) => done(systemError(name)) })
    const ended = await main({
      argv: ['node', 'dsh-session', 'pack'],
      stdin: Readable.from([Buffer.from(plain)]),
      stdout,
      stderr: { write: (text) => (said += text) },
    })
    expect([ended, said]).toEqual([code, err])
  })
})
