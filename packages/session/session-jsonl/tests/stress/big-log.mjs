import { createWriteStream } from 'node:fs'
import { once } from 'node:events'
import { packChunkRuns, serializeRecord } from 'dsh-session'

/**
 * Pieces of a log as a coding agent writes it: reasoning, a call, its result, an answer, in deltas of
 * a few characters.
 *
 * @param {'plain' | 'packed'} layout
 * @returns {Generator<string>} the header, then one text per turn, without end
 */
function* logPieces(layout) {
  yield '{"type":"session","version":0,"id":"big","createdAt":1783352165190,"cwd":"/work"}\n'
  let seq = 0
  let time = 1783352165190
  for (let turn = 1; ; turn++) {
    const events = []
    const add = (type, data, extras = {}) => {
      // Several deltas come with one packet, then nothing for a while.
      time += seq % 4 === 0 ? 27 : 0
      events.push({ type, seq: seq++, time, data, ...extras })
    }
    const chunk = (chunk) => add('assistant/chunk', { turn, step: 1, chunk })
    const block = (index, blockType, pieces, delta, whole) => {
      chunk({ type: 'block-start', index, blockType })
      for (let piece = 0; piece < pieces; piece++) chunk(delta(index, ` word${(seq + turn) % 97}`))
      chunk({ type: 'block-end', index, block: { type: blockType, ...whole } })
    }
    add('turn/start', { turn, trigger: { kind: 'message', source: { kind: 'user' } } })
    add('step/start', { turn, step: 1 })
    const text = 'what the deltas amount to, '.repeat(12)
    block(0, 'reasoning', 60, (index, piece) => ({ type: 'reasoning-delta', index, text: piece }), {
      text,
    })
    const call = { id: 'call_00_x', name: 'bash' }
    block(
      1,
      'tool-call',
      30,
      (index, piece) => ({ type: 'tool-call-delta', index, ...call, argumentsDelta: piece }),
      { ...call, arguments: '{"command":"ls"}' },
    )
    block(2, 'text', 40, (index, piece) => ({ type: 'text-delta', index, text: piece }), { text })
    chunk({ type: 'finish', reason: { kind: 'stop' } })
    const content = [{ type: 'text', text }]
    add('assistant/message', { turn, step: 1, content }, { surfaceOp: 'append' })
    add('step/end', { turn, step: 1 })
    add('turn/end', { turn, reason: { kind: 'completed' } })
    const records = layout === 'packed' ? packChunkRuns(events) : events
    yield records.map((record) => `${serializeRecord(record)}\n`).join('')
  }
}

/** A log of at least so many bytes. @param {'plain' | 'packed'} layout @param {number} size */
export function* bigLog(layout, size) {
  let written = 0
  for (const piece of logPieces(layout)) {
    yield piece
    written += piece.length
    if (written >= size) return
  }
}

/** @param {string} file @param {'plain' | 'packed'} layout @param {number} size */
export async function writeBigLog(file, layout, size) {
  const out = createWriteStream(file)
  for (const piece of bigLog(layout, size)) if (!out.write(piece)) await once(out, 'drain')
  out.end()
  await once(out, 'finish')
}
