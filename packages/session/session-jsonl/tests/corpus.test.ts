import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseHeaderLine, parseLogText, type SessionEvent } from 'dsh-session'
import { describe, expect, test } from 'vitest'
import { readCorpus } from '../../../../scripts/lib/corpus.ts'
import { encodeSegment } from '../src/index.ts'
import { mount, tempDir, turn } from './support.ts'

const corpus = readCorpus(process.env.DSH_CORPUS_DIR)
/** A projected log is not gone on with. */
const complete = corpus.logs.filter(({ form }) => form !== 'projected')

/** The events of a log as the store takes them; undefined for one that was written by hand. */
function strictEvents(text: string): readonly SessionEvent[] | undefined {
  try {
    return parseLogText(text).events
  } catch {
    return undefined
  }
}

describe.skipIf(corpus.why !== '')(`recordings${corpus.why}`, () => {
  test('are there', () => {
    expect(complete.length).toBeGreaterThan(0)
  })

  test.each(complete)(
    '$name can be gone on with, and keeps its bytes',
    async ({ text: before }) => {
      const header = parseHeaderLine(before.slice(0, before.indexOf('\n')), { tolerant: true })
      const events = strictEvents(before)
      const root = tempDir()
      const log = join(root, 'project', encodeSegment(header.id), 'session.jsonl')
      mkdirSync(dirname(log), { recursive: true })
      writeFileSync(log, before)
      const ctx = await mount(root)
      if (events === undefined || header.cwd === undefined) {
        await expect(ctx.sessions.load(header.id)).rejects.toThrow(
          events === undefined ? /invalid session (?:header|event) at line \d+/ : 'has no cwd',
        )
        expect(readFileSync(log, 'utf8')).toBe(before)
        return
      }
      const session = await ctx.sessions.load(header.id)
      expect(session.events.slice(0, events.length)).toEqual(events)
      // A log that ends within a turn is closed first.
      const closed = session.events.length
      turn(session, 99)
      await ctx.sessions.dispose(session)
      const after = readFileSync(log, 'utf8')
      expect(after.startsWith(before)).toBe(true)
      expect(session.events.length - closed).toBe(3)
      const added = session.events.length - events.length
      expect(after.slice(before.length).split('\n')).toHaveLength(added + 1)
      expect(session.history().at(-1)?.content).toEqual([{ type: 'text', text: 'hello 99' }])
    },
  )
})
