import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nodeFileSystem } from '../../packages/session/session-jsonl/dist/file-system.js'
import { readLog } from '../../packages/session/session-jsonl/dist/read-log.js'
import { bigLog } from '../../packages/session/session-jsonl/tests/stress/big-log.mjs'
import { pairedRatios, row } from '../lib/ratio.mjs'

const SIZE = 100e6

/** The time to load a log from disk: read, parsed, decoded, checked, frozen; packed over plain. */
export async function measure() {
  const dir = await mkdtemp(join(tmpdir(), 'dsh-bench-'))
  try {
    const [packed, plain] = [join(dir, 'packed'), join(dir, 'plain')]
    const turns = [...bigLog('plain', SIZE)].length
    await writeFile(plain, bigLog('plain', SIZE))
    await writeFile(packed, first(bigLog('packed', Infinity), turns))
    const pairs = await pairedRatios(
      5,
      () => load(packed),
      () => load(plain),
    )
    const name = `load a log of ${SIZE / 1e6} MB: packed ÷ plain`
    return row({ name, pairs, target: 0.5, better: 'below' })
  } finally {
    await rm(dir, { recursive: true })
  }
}

function* first(pieces, count) {
  let left = count
  for (const piece of pieces) {
    yield piece
    if (--left === 0) return
  }
}

let events = 0
async function load(file) {
  const log = await readLog(nodeFileSystem, file)
  events ||= log.events.length
  if (log.events.length !== events) throw new Error('the two logs differ')
}
