import { appendFile, mkdir, truncate, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { ReportRecord } from 'dsh-llm-replay'
import { describe, expect, test } from 'vitest'
import { ReportFollower } from '../../src/run/report-follower.ts'
import { useTempDir } from './harness.ts'

const temp = useTempDir()
const file = (): string => path.join(temp(), 'report.jsonl')
const follow = (maxBytes = 1_000_000): ReportFollower => new ReportFollower(file(), maxBytes)
const line = (record: unknown): string => `${JSON.stringify(record)}\n`

const records: ReportRecord[] = [
  { event: 'loaded', lane: 0, file: 'session.jsonl', calls: 2 },
  { event: 'bound', lane: 0, session: 'é', rule: 'primary' },
  { event: 'bound', lane: 1, session: null, rule: 'resumed', after: 0 },
  { event: 'served', lane: 0, session: 'é', call: 1 },
  { event: 'ready', lane: 0, session: 'é', call: 2 },
  { event: 'refused', code: 'SCRIPT_EXHAUSTED', message: 'm', lane: 0, call: 3, session: 'é' },
  { event: 'refused', code: 'UNRECORDED_SESSION', message: 'm', session: null },
  { event: 'left', lane: 0, served: 2, left: 0 },
]

describe('ReportFollower', () => {
  test('reads every record, wherever the look falls', async () => {
    const bytes = Buffer.from(records.map(line).join(''))
    const follower = follow()
    await follower.look()
    expect(follower.records).toEqual([])
    for (let start = 0; start < bytes.length; start += 7) {
      await appendFile(file(), bytes.subarray(start, start + 7))
      await follower.look()
    }
    await follower.finish()
    expect(follower.records).toEqual(records)
  })

  test('looks at once do not read the same twice', async () => {
    await writeFile(file(), records.map(line).join(''))
    const follower = follow()
    await Promise.all([follower.look(), follower.look(), follower.finish()])
    expect(follower.records).toEqual(records)
  })

  test('a report that never comes is empty', async () => {
    const follower = follow()
    await follower.finish()
    expect(follower.records).toEqual([])
  })

  test('a last line without its end is tolerated live, not at the end', async () => {
    await writeFile(file(), `${line(records[0])}{"event":"left"`)
    const follower = follow()
    await follower.look()
    expect(follower.records).toHaveLength(1)
    await expect(follower.finish()).rejects.toMatchObject({
      code: 'BAD_REPORT',
      message: `replay report ${file()}: line 2 is not finished: {"event":"left"`,
    })
  })

  test.each([
    'nonsense',
    '',
    '{"event":"later"}',
    '{"event":"loaded","lane":0,"file":"f"}',
    '{"event":"loaded","lane":-1,"file":"f","calls":1}',
    '{"event":"served","lane":0,"session":null,"call":0}',
    '{"event":"ready","lane":0,"session":null,"call":1,"more":1}',
    '{"event":"refused","code":"OTHER","message":"m","session":null}',
    '{"event":"bound","lane":0,"session":null,"rule":"luck"}',
  ])('case R7: a line that is no record fails, and goes on failing: %s', async (text) => {
    await writeFile(file(), `${line(records[0])}${text}\n${line(records[1])}`)
    const follower = follow()
    const start = `replay report ${file()}: line 2 is not a record: ${text}: `
    await expect(follower.look()).rejects.toThrow(start)
    await expect(follower.finish()).rejects.toThrow(start)
    expect(follower.records).toEqual([records[0]])
  })

  test('long lines are cut in the message', async () => {
    await writeFile(file(), `${'x'.repeat(300)}\n`)
    await expect(follow().look()).rejects.toThrow(`record: ${'x'.repeat(200)}…: `)
  })

  test('one that shrinks was not only appended to', async () => {
    await writeFile(file(), records.map(line).join(''))
    const follower = follow()
    await follower.look()
    const { length } = Buffer.from(records.map(line).join(''))
    await truncate(file(), 10)
    await expect(follower.look()).rejects.toThrow(
      `it shrank from ${length} to 10 bytes, but is append-only`,
    )
  })

  test('one that is too large is not read', async () => {
    const text = line(records[0])
    await writeFile(file(), text)
    const fits = follow(text.length)
    await fits.finish()
    expect(fits.records).toHaveLength(1)
    await expect(follow(text.length - 1).look()).rejects.toThrow(
      `it is larger than ${text.length - 1} bytes`,
    )
  })

  test('one that cannot be opened or read fails', async () => {
    const missing = new ReportFollower(path.join(temp(), 'a\0b'), 10)
    await expect(missing.look()).rejects.toMatchObject({
      code: 'BAD_REPORT',
      message: expect.stringContaining('it cannot be read'),
    })
    await mkdir(file())
    await expect(follow().look()).rejects.toMatchObject({ code: 'BAD_REPORT' })
  })
})
