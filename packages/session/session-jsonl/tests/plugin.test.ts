import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import * as plugin from '../src/index.ts'
import { fileOf, linesOf, mount, tempDir, turn } from './support.ts'

test('exports the plugin shape and no default', () => {
  expect(plugin.name).toBe('session-jsonl')
  expect(plugin.inject).toEqual(['sessions'])
  expect(plugin).not.toHaveProperty('default')
})

test('writes header and events at the first flush that has an event, for the owner only', async () => {
  const root = join(tempDir(), 'deep', 'root')
  const ctx = await mount(root)
  const session = ctx.sessions.create({ cwd: '/work' })
  await ctx.sessions.flush(session)
  expect(existsSync(root)).toBe(false)
  turn(session)
  expect(existsSync(root)).toBe(false)
  await ctx.sessions.flush(session)
  const file = fileOf(root, session)
  expect(linesOf(file)).toEqual([
    '{"type":"session","version":0,"id":"s0","createdAt":1000,"cwd":"/work"}',
    '{"type":"turn/start","seq":0,"time":1000,"data":{"turn":1,"trigger":{"kind":"message","source":{"kind":"user"}}}}',
    '{"type":"user/message","seq":1,"time":1000,"data":{"content":[{"type":"text","text":"hello 1"}],"source":{"kind":"user"}},"surfaceOp":"append"}',
    '{"type":"turn/end","seq":2,"time":1000,"data":{"turn":1,"reason":{"kind":"completed"}}}',
  ])
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(statSync(file).nlink).toBe(1)
  expect(readdirSync(dirname(file))).toEqual(['session.jsonl'])
  for (let folder = dirname(file); folder.startsWith(root); folder = dirname(folder)) {
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  }
})

test('appends later events and nothing twice', async () => {
  const root = tempDir()
  const ctx = await mount(root)
  const session = ctx.sessions.create({ cwd: '/work' })
  turn(session)
  await ctx.sessions.flush(session)
  const before = readFileSync(fileOf(root, session), 'utf8')
  turn(session, 2)
  await Promise.all([1, 2, 3].map(() => ctx.sessions.flush(session)))
  const after = readFileSync(fileOf(root, session), 'utf8')
  expect(after.startsWith(before)).toBe(true)
  expect(linesOf(fileOf(root, session))).toHaveLength(7)
  expect(readdirSync(dirname(fileOf(root, session)))).toEqual(['session.jsonl'])
})

test('writes a seeded child from its first event on', async () => {
  const root = tempDir()
  const ctx = await mount(root)
  const parent = ctx.sessions.create({ cwd: '/work' })
  turn(parent)
  const child = ctx.sessions.create({ cwd: '/work', parentSession: parent.id, seed: parent.events })
  turn(child, 2)
  await ctx.sessions.dispose(child)
  await ctx.sessions.flush(parent)
  const lines = linesOf(fileOf(root, child))
  expect(lines.slice(1, 4)).toEqual(linesOf(fileOf(root, parent)).slice(1))
  expect(lines).toHaveLength(7)
  expect(lines[0]).toContain('"seedLength":3')
})

test('brings a session back and goes on with its file', async () => {
  const root = tempDir()
  const first = await mount(root)
  const session = first.sessions.create({ cwd: '/work' })
  turn(session)
  await first.sessions.dispose(session)
  expect(first.sessions.list()).toEqual([])
  const second = await mount(root)
  const again = await second.sessions.load(session.id)
  expect(again.header).toEqual(session.header)
  expect(again.events).toEqual(session.events)
  expect(again.events.every((event) => Object.isFrozen(event.data))).toBe(true)
  turn(again, 2)
  await second.sessions.flush(again)
  expect(linesOf(fileOf(root, session))).toHaveLength(7)
})

test('a session that is disposed can be loaded again by the same process', async () => {
  const root = tempDir()
  const ctx = await mount(root)
  const session = ctx.sessions.create({ cwd: '/work' })
  turn(session)
  await ctx.sessions.dispose(session)
  const again = await ctx.sessions.load(session.id)
  turn(again, 2)
  await ctx.sessions.dispose(again)
  const third = await ctx.sessions.load(session.id)
  expect(third.events).toHaveLength(6)
})

test('writes what is left when it is disposed, and says what it could not write', async () => {
  const root = tempDir()
  const ctx = await mount()
  const fiber = await ctx.plugin(plugin, { root })
  const good = ctx.sessions.create({ cwd: '/work' })
  const bad = ctx.sessions.create({ cwd: '/elsewhere' })
  turn(good)
  turn(bad)
  writeFileSync(join(root, plugin.projectName('/elsewhere')), 'a file where a folder belongs')
  await fiber.dispose()
  expect(linesOf(fileOf(root, good))).toHaveLength(4)
  const said = ctx.logger.buffer.map((message) => String(message.args[0]))
  expect(said.some((text) => text.includes(`cannot write session log ${fileOf(root, bad)}`))).toBe(
    true,
  )
})

test('a backend mounted anew goes on with the files of live sessions', async () => {
  const root = tempDir()
  const ctx = await mount()
  const fiber = await ctx.plugin(plugin, { root })
  const session = ctx.sessions.create({ cwd: '/work' })
  turn(session)
  await fiber.dispose()
  turn(session, 2)
  await ctx.plugin(plugin, { root })
  await ctx.sessions.flush(session)
  expect(linesOf(fileOf(root, session))).toHaveLength(7)
})

test('a backend mounted anew elsewhere writes the whole log there', async () => {
  const [one, two] = [tempDir(), tempDir()]
  const ctx = await mount()
  const fiber = await ctx.plugin(plugin, { root: one })
  const session = ctx.sessions.create({ cwd: '/work' })
  turn(session)
  await fiber.dispose()
  turn(session, 2)
  await ctx.plugin(plugin, { root: two })
  await ctx.sessions.dispose(session)
  expect(linesOf(fileOf(one, session))).toHaveLength(4)
  expect(linesOf(fileOf(two, session))).toHaveLength(7)
})
