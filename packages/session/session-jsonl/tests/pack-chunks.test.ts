import { readFileSync, writeFileSync } from 'node:fs'
import type { Session } from 'dsh-session'
import { describe, expect, test } from 'vitest'
import { systemError, withHandles } from './faults.ts'
import { JsonlBackend } from '../src/backend.ts'
import { chunks, fileOf, linesOf, mount, tempDir, turn } from './support.ts'

interface Written {
  readonly root: string
  readonly session: Session
  readonly lines: string[]
}

/** One turn written at once, the next in two batches that cut a run. */
async function write(packChunks?: boolean): Promise<Written> {
  const root = tempDir()
  const ctx = await mount(root, packChunks === undefined ? {} : { packChunks })
  const session = ctx.sessions.create({ cwd: '/work' })
  session.append('turn/start', { turn: 1 })
  chunks(session, ['a', 'b', 'c', 'd'])
  session.append('turn/end', { turn: 1 })
  await ctx.sessions.flush(session)
  chunks(session, ['e', 'f', 'g'])
  await ctx.sessions.flush(session)
  chunks(session, ['h', 'i'])
  turn(session, 2)
  await ctx.sessions.dispose(session)
  return { root, session, lines: linesOf(fileOf(root, session)) }
}

const row = (seq0: number, ...texts: string[]): string =>
  JSON.stringify({
    type: 'text-chunks',
    seq0,
    time0: 1000,
    data: { turn: 1, step: 1, index: 0, dt: texts.slice(1).map(() => 0), texts },
  })

describe('packChunks', () => {
  test('is off by default: one event a line, byte for byte', async () => {
    const [plain, off] = [await write(), await write(false)]
    expect(off.lines).toEqual(plain.lines)
    expect(plain.lines.slice(1)).toEqual(plain.session.events.map((event) => JSON.stringify(event)))
  })

  test('packs each batch, and never across two', async () => {
    const { lines, session } = await write(true)
    const plain = session.events.map((event) => JSON.stringify(event))
    expect(lines.slice(1)).toEqual([
      plain[0],
      row(1, 'a', 'b', 'c', 'd'),
      plain[5],
      row(6, 'e', 'f', 'g'),
      ...plain.slice(9),
    ])
  })

  test.each([true, false])(
    'loads the same with any configuration (written %s)',
    async (written) => {
      const { root, session } = await write(written)
      for (const packChunks of [true, false, undefined]) {
        const ctx = await mount(root, packChunks === undefined ? {} : { packChunks })
        const again = await ctx.sessions.load(session.id)
        expect(again.header).toEqual(session.header)
        expect(again.events).toEqual(session.events)
        expect(again.events.every((event) => Object.isFrozen(event.data))).toBe(true)
      }
    },
  )

  test('goes on in a log of the other layout, without touching what is there', async () => {
    for (const packed of [true, false]) {
      const { root, session, lines } = await write(packed)
      const ctx = await mount(root, { packChunks: !packed })
      const again = await ctx.sessions.load(session.id)
      chunks(again, ['x', 'y', 'z'])
      again.append('turn/end', { turn: 3 })
      await ctx.sessions.dispose(again)
      const after = linesOf(fileOf(root, session))
      expect(after.slice(0, lines.length)).toEqual(lines)
      expect(after.length - lines.length).toBe(packed ? 4 : 2)
      const third = await (await mount(root)).sessions.load(session.id)
      expect(third.events).toEqual(again.events)
    }
  })

  test('case R15: a packed log cut at any byte loses nothing that was committed', {
    timeout: 60_000,
  }, async () => {
    const { root, session } = await write(true)
    const file = fileOf(root, session)
    const whole = readFileSync(file)
    const ends = ['turn/end","seq":5', 'turn/end","seq":13'].map((mark) => whole.indexOf(mark))
    const ctx = await mount(root, { packChunks: true })
    const start = whole.indexOf(10) + 1
    for (let cut = start; cut < whole.length; cut++) {
      writeFileSync(file, whole.subarray(0, cut))
      const again = await ctx.sessions.load(session.id)
      const closed = ends.filter((end) => end >= 0 && whole.indexOf(10, end) < cut).length
      const kept = [0, 6, session.events.length][closed] ?? 0
      expect(again.events.slice(0, kept)).toEqual(session.events.slice(0, kept))
      chunks(again, ['x', 'y', 'z'])
      again.append('turn/end', { turn: 9 })
      await ctx.sessions.dispose(again)
      const third = await ctx.sessions.load(session.id)
      expect(third.events).toEqual(again.events)
      await ctx.sessions.dispose(third)
    }
  })

  test('a batch that fails is packed and written as one with the next', async () => {
    const root = tempDir()
    const ctx = await mount()
    const session = ctx.sessions.create({ cwd: '/work' })
    turn(session)
    let broken = false
    const fs = withHandles((handle) => ({
      sync: () => (broken ? Promise.reject(systemError('ENOSPC')) : handle.sync()),
    }))
    const backend = new JsonlBackend({ root, fs, packChunks: true })
    await backend.flush(session)
    const before = readFileSync(fileOf(root, session), 'utf8')
    broken = true
    chunks(session, ['a', 'b'])
    await expect(backend.flush(session)).rejects.toThrow(/ENOSPC/)
    expect(readFileSync(fileOf(root, session), 'utf8')).toBe(before)
    broken = false
    chunks(session, ['c'])
    await backend.flush(session)
    expect(readFileSync(fileOf(root, session), 'utf8')).toBe(`${before}${row(3, 'a', 'b', 'c')}\n`)
  })
})
