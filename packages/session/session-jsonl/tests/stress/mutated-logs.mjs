import assert from 'node:assert/strict'
import { readNaively } from './naive-reader.mjs'
import { random } from './random.mjs'

/**
 * Damages logs at random (flipped bits, lines dropped, doubled, swapped, cut) and reads them. The
 * reader must give what a naive one gives, or an error where that finds damage in the committed
 * region; where only whole lines were moved, what it gives must be a beginning of the original.
 *
 * @param {object} options
 * @param {number} options.lines how many lines to read in all, at least
 * @param {number} options.seed
 * @param {object} options.parts the code under test
 * @param {typeof import('../../src/scan.ts').LogScanner} options.parts.LogScanner
 * @param {typeof import('../../src/lines.ts').LineReader} options.parts.LineReader
 * @param {typeof import('dsh-session').packChunkRuns} options.parts.packChunkRuns
 * @returns {{ logs: number, lines: number, loaded: number, refused: number, slowest: number }}
 *   `slowest` in ms
 * @throws an assertion error that names the log and its seed
 */
export function readMutatedLogs({ lines, seed, parts }) {
  const below = random(seed)
  const count = { logs: 0, lines: 0, loaded: 0, refused: 0, slowest: 0 }
  while (count.lines < lines) {
    const { original, bytes, moved } = mutatedLog(below, parts)
    const at = `log ${count.logs} of seed ${seed}:\n${bytes.toString('latin1')}`
    const start = performance.now()
    const found = read(bytes, 1 + below(200), parts, at)
    count.slowest = Math.max(count.slowest, performance.now() - start)
    const naive = readNaively(bytes)
    if ('error' in naive) assert.equal(found.events, undefined, `${naive.error} missed in ${at}`)
    else assert.deepEqual(found.events, naive.events, `${found.error ?? 'other events'} in ${at}`)
    if (found.events !== undefined && moved) {
      assert.deepEqual(found.events, original.slice(0, found.events.length), at)
    }
    if (found.events === undefined) count.refused++
    else count.loaded++
    count.logs++
    count.lines += bytes.toString('latin1').split('\n').length - 1
  }
  return count
}

function read(bytes, pieceSize, { LogScanner, LineReader }, at) {
  const events = []
  const scanner = new LogScanner('log', { keep: (more) => events.push(...more) })
  const splitter = new LineReader()
  try {
    for (let start = 0; start < bytes.length; start += pieceSize) {
      for (const line of splitter.push(bytes.subarray(start, start + pieceSize))) scanner.line(line)
    }
    assert.ok(scanner.header)
  } catch (error) {
    assert.ok(
      ['CORRUPT_LOG', 'UNSUPPORTED_VERSION'].includes(error.code),
      `${error.stack} in ${at}`,
    )
    return { error: error.message }
  }
  return { events }
}

/** A log of a few turns, plain, packed or mixed, and the same with one to three things done to it. */
function mutatedLog(below, { packChunkRuns }) {
  const original = events(below)
  const lines = [{ type: 'session', version: 0, id: 'é', createdAt: 5 }, ...layOut(original)].map(
    (record) => Buffer.from(`${JSON.stringify(record)}\n`),
  )
  let moved = true
  for (let left = 1 + below(3); left > 0; left--) {
    const line = below(lines.length)
    switch (below(6)) {
      case 0:
        lines.splice(line, 1)
        break
      case 1:
        lines.splice(line, 0, lines[line])
        break
      case 2: {
        const other = below(lines.length)
        ;[lines[line], lines[other]] = [lines[other], lines[line]]
        break
      }
      case 3:
        // Torn there, as a crash tears it: nothing follows.
        lines.splice(line + 1)
        lines[line] = lines[line].subarray(0, below(lines[line].length))
        break
      default: {
        const flipped = Buffer.from(lines[line])
        flipped[below(flipped.length)] ^= 1 << below(8)
        lines[line] = flipped
        moved = false
      }
    }
    if (lines.length === 0) break
  }
  return { original, bytes: Buffer.concat(lines), moved }

  function layOut(all) {
    const layout = below(3)
    if (layout === 0) return all
    if (layout === 1) return packChunkRuns(all)
    const cut = below(all.length)
    return [...all.slice(0, cut), ...packChunkRuns(all.slice(cut))]
  }
}

const WORDS = [
  'a',
  '',
  '"',
  '\\',
  '\n',
  'é',
  '💡',
  '\ud800',
  '\u2028',
  '{"type":"turn/end"}',
  '__proto__',
]

function events(below) {
  const all = []
  const add = (type, data) => all.push({ type, seq: all.length, time: 1000 + below(50), data })
  for (let turn = 1; turn <= 1 + below(3); turn++) {
    add('turn/start', { turn })
    for (let block = below(3); block >= 0; block--) {
      const index = below(2)
      const kind = below(3)
      for (let piece = below(8); piece > 0; piece--) {
        const text = WORDS[below(WORDS.length)]
        const chunk =
          kind === 2
            ? { type: 'tool-call-delta', index, id: 'c', name: 'n', argumentsDelta: text }
            : { type: kind === 0 ? 'text-delta' : 'reasoning-delta', index, text }
        add('assistant/chunk', { turn, step: 1, chunk })
      }
    }
    add('plugin/x', { ['__proto__']: 1, list: [null, below(9)] })
    add('turn/end', { turn })
  }
  return all
}
