import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Context } from '@deepseek-ai/cordis'
import * as sessions from 'dsh-session'
import { JsonlBackend } from '../../dist/backend.js'
import { random } from './random.mjs'
import { write } from './writer-process.mjs'

/**
 * Kills a writing process again and again: by its own hand at a random call to the file system (a
 * write stops half-way), or from outside at a random moment. After each, the log must load with all
 * that was said to be durable, its last turn closed, and writing must go on.
 *
 * @param {object} options
 * @param {string} options.root an empty folder
 * @param {number} options.rounds
 * @param {number} options.seed
 * @param {'plain' | 'packed'} options.layout
 * @returns {Promise<{ kills: number, events: number }>}
 * @throws an assertion error that names the round
 */
export async function killRounds({ root, rounds, seed, layout }) {
  const below = random(seed)
  const first = await write(root, { turns: 1, layout })
  const session = first.said[0]?.id ?? ''
  const file = logFile(root)
  let durable = eventsOf(file)
  for (let round = 0; round < rounds; round++) {
    const how = round % 3 === 2 ? { killAfter: 1 + below(8) } : { dieAt: 1 + below(120) }
    const at = `round ${round}, ${JSON.stringify(how)}, seed ${seed}, ${layout}`
    const { said, signal } = await write(root, { session, turns: 1000, layout, ...how })
    assert.equal(signal, 'SIGKILL', at)
    assert.deepEqual(
      said.filter((each) => each.code !== undefined),
      [],
      at,
    )
    const loaded = await repair(root, session, layout)
    assert.deepEqual(loaded.slice(0, durable.length), durable, at)
    const claimed = said.findLast((each) => each.durable !== undefined)?.durable ?? 0
    assert.ok(loaded.length >= claimed, `${at}: ${claimed} durable, ${loaded.length} loaded`)
    assert.equal(loaded.at(-1)?.type, 'turn/end', at)
    durable = eventsOf(file)
    assert.deepEqual(durable, loaded, at)
  }
  const last = await write(root, { session, turns: 1, layout })
  assert.equal(last.said.at(-1)?.durable, durable.length + 9, `after ${rounds} kills, seed ${seed}`)
  return { kills: rounds, events: durable.length }
}

/** Loads a log as an agent would, and writes what that repairs. */
async function repair(root, session, layout) {
  const ctx = new Context()
  await ctx.plugin(sessions)
  await new Promise((resolve) => {
    ctx.inject(['sessions'], () => resolve(undefined))
  })
  const backend = new JsonlBackend({ root, packChunks: layout === 'packed' })
  ctx.sessions.useBackend(backend)
  ctx.on('session/flush', (each) => backend.flush(each))
  const loaded = await ctx.sessions.load(session)
  const events = [...loaded.events]
  await ctx.sessions.dispose(loaded)
  await ctx.fiber.dispose()
  return events
}

function logFile(root) {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  return join(root, files.find((file) => file.endsWith('session.jsonl')) ?? 'no log')
}

function eventsOf(file) {
  return sessions.parseLogText(readFileSync(file, 'utf8')).events
}
