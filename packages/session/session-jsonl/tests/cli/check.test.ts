import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { tempDir } from '../support.ts'
import { run } from './host.ts'
import { delta, event, header, log, packed, plain, row } from './logs.ts'

const size = (text: string): number => Buffer.byteLength(text)

describe('check', () => {
  test.each([
    ['plain', plain, '6 lines (plain)'],
    ['packed', packed, '4 lines (packed, 1 rows)'],
  ])('a sound log is 0: %s', async (_, text, lines) => {
    expect(await run(['check'], text)).toEqual({
      code: 0,
      out: `-: sound: session a, ${size(text)} bytes, ${lines}, 5 events, 5 of them committed\n`,
      err: '',
    })
  })

  test('a log that has only a header is sound', async () => {
    const { code, out } = await run(['check', '-'], log(header))
    expect([code, out]).toEqual([
      0,
      `-: sound: session a, ${size(header) + 1} bytes, 1 lines (plain), 0 events, 0 of them committed\n`,
    ])
  })

  test('a torn tail and an open turn are 1, with what loading does about them', async () => {
    const torn = `${plain}${log(event(5, 'turn/start'), event(6, 'step/start'))}{"type":"tu`
    const { code, out } = await run(['check'], torn)
    expect(code).toBe(1)
    expect(out.split('\n')).toEqual([
      expect.stringContaining('-: repairable: session a, '),
      '  loading drops the last 11 bytes: line 9 has no line feed',
      '  loading closes the open turn with step/end, turn/end',
      '',
    ])
    expect(out).toContain('7 events, 5 of them committed')
  })

  test('says why the end is dropped', async () => {
    const bad = log('{"type":"text-chunks","seq0":5}', delta(6, 'x'))
    const { code, out } = await run(['check'], plain + bad)
    expect(code).toBe(1)
    expect(out).toContain(
      `  loading drops the last ${size(bad)} bytes: corrupt session log: unparsable committed event at line 7 (malformed text-chunks storage row: keys are ["type","seq0"], expected exactly ["type","seq0","time0","data"]) in -\n`,
    )
    expect(out).not.toContain('loading closes')
  })

  test.each([
    ['', '-: corrupt: corrupt session log: it has no complete header line in -\n'],
    [header, '-: corrupt: corrupt session log: it has no complete header line in -\n'],
    [
      '[]\n',
      '-: corrupt: corrupt session log: invalid session header at line 1: expected an object, not [] in -\n',
    ],
    [
      log(header, event(0), event(2), event(3, 'turn/end')),
      '-: corrupt: corrupt session log: seq gap in committed region at line 3 (expected 1, got 2) in -\n',
    ],
    [
      log(header.replace('"version":0', '"version":3')),
      '-: corrupt: unsupported session format version 3 for "a" (only v0 is supported)\n',
    ],
  ])('a log that cannot be loaded is 3: %j', async (text, out) => {
    expect(await run(['check'], text)).toEqual({ code: 3, out, err: '' })
  })

  test('the projected form is called by its name', async () => {
    const { code, out } = await run(['check'], log(header, '{"type":"x","data":1}'))
    expect([code, out]).toEqual([0, expect.stringContaining('2 lines (projected), 1 events')])
  })

  test('--json gives the whole report, one line a log', async () => {
    const torn = `${log(header, event(0, 'turn/start'), row(1, 'a', 'b'))}{`
    expect(JSON.parse((await run(['check', '--json'], torn)).out)).toEqual({
      file: '-',
      verdict: 'repairable',
      id: 'a',
      layout: 'packed',
      bytes: size(torn),
      lines: 4,
      rows: 1,
      events: 3,
      committed: 0,
      dropped: 1,
      damage: 'line 4 has no line feed',
      added: ['turn/end'],
    })
    const bad = log(header, event(0), '', event(1, 'turn/end'), event(2))
    expect(JSON.parse((await run(['check', '--json'], bad)).out)).toEqual({
      file: '-',
      verdict: 'corrupt',
      error: expect.stringContaining('line 3') as string,
      layout: 'plain',
      bytes: size(bad) - size(event(2)) - 1,
      lines: 4,
      rows: 0,
      events: 1,
      committed: 0,
      dropped: 0,
      added: [],
    })
  })

  test('of several logs all are told, and the worst decides', async () => {
    const dir = tempDir()
    const file = (name: string, text: string): string => {
      writeFileSync(join(dir, name), text)
      return join(dir, name)
    }
    const [sound, open, bad] = [file('a', plain), file('b', `${plain}{`), file('c', '')]
    const gone = join(dir, 'gone')
    mkdirSync(join(dir, 'folder'))
    expect(await run(['check', open, sound])).toMatchObject({ code: 1 })
    const all = await run(['check', bad, gone, sound, join(dir, 'folder'), open])
    expect(all.code).toBe(3)
    expect(all.out.split('\n').filter((line) => !line.startsWith(' '))).toEqual([
      expect.stringContaining(`${bad}: corrupt`),
      expect.stringContaining(`${sound}: sound`),
      expect.stringContaining(`${open}: repairable`),
      '',
    ])
    expect(all.err).toMatch(/^ENOENT: .*gone'\n.*folder: EISDIR: .*\n$/)
    expect(await run(['check', gone, open])).toMatchObject({ code: 2 })
  })
})
