import { join } from 'node:path'
import { PassThrough, Readable, Writable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { EXIT, main } from '../../src/cli.ts'
import { systemError } from '../faults.ts'
import { tempDir } from '../support.ts'
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

  test('an error of the system names the file, once', async () => {
    const folder = tempDir()
    const { code, err } = await run(['check', folder, join(folder, 'none')])
    expect(code).toBe(EXIT.failed)
    expect(err).toBe(
      `${folder}: EISDIR: illegal operation on a directory, read\n` +
        `ENOENT: no such file or directory, open '${join(folder, 'none')}'\n`,
    )
  })

  test('messages that nobody can read change no exit code', async () => {
    const stderr = new PassThrough()
    const code = await main({
      argv: ['node', 'dsh-session', 'check', join(tempDir(), 'none')],
      stdin: Readable.from([]),
      stdout: new PassThrough(),
      stderr,
    })
    expect(stderr.emit('error', systemError('ENOSPC'))).toBe(true)
    expect(code).toBe(EXIT.failed)
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
