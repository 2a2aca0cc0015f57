import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseHeaderLine, parseLogText } from 'dsh-session'
import { describe, expect, test } from 'vitest'
import { encodeSegment } from '../src/index.ts'
import { mount, tempDir, turn } from './support.ts'

const corpus = process.env.DSH_CORPUS_DIR ?? ''
/** Complete ones only: a projected log is not gone on with. */
const folders = ['dsh-2026-07', 'dsh-2026-07-packed', 'dsh-2026-07-logs', 'dsh-2026-08-packed']
const files =
  corpus === ''
    ? []
    : readdirSync(corpus, { recursive: true, encoding: 'utf8' })
        .filter((file) => folders.includes(file.split('/')[0] ?? ''))
        .filter((file) => file.endsWith('.jsonl'))
        .sort()

describe.skipIf(corpus === '')('the corpus (skipped: DSH_CORPUS_DIR is not set)', () => {
  test('holds logs', () => {
    expect(files.length).toBeGreaterThan(0)
  })

  test.each(files)('%s can be gone on with, and keeps its bytes', async (file) => {
    const before = readFileSync(join(corpus, file), 'utf8')
    const header = parseHeaderLine(before.slice(0, before.indexOf('\n')))
    const root = tempDir()
    const log = join(root, 'project', encodeSegment(header.id), 'session.jsonl')
    mkdirSync(dirname(log), { recursive: true })
    cpSync(join(corpus, file), log)
    const ctx = await mount(root)
    if (header.cwd === undefined) {
      await expect(ctx.sessions.load(header.id)).rejects.toThrow('has no cwd')
      return
    }
    const session = await ctx.sessions.load(header.id)
    expect(session.events).toEqual(parseLogText(before).events)
    turn(session, 99)
    await ctx.sessions.dispose(session)
    const after = readFileSync(log, 'utf8')
    expect(after.startsWith(before)).toBe(true)
    expect(after.slice(before.length).split('\n')).toHaveLength(4)
    expect(session.history().at(-1)?.content).toEqual([{ type: 'text', text: 'hello 99' }])
  })
})
