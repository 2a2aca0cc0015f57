import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { loadSessionScripts } from 'dsh-llm-replay'
import { row } from '../lib/ratio.mjs'
import { answer, recording } from '../lib/recording.mjs'

const SCRIPTS = 1000

/** Megabytes that loaded scripts keep on the heap, over those of their files. */
export async function measure() {
  const dir = await mkdtemp(join(tmpdir(), 'dsh-bench-'))
  try {
    const { file, childFiles, bytes } = await write(dir)
    const pairs = []
    for (let round = 0; round < 5; round += 1) {
      const grown = growth({ file, childFiles })
      pairs.push({ a: grown / 2 ** 20, b: bytes / 2 ** 20, ratio: grown / bytes })
    }
    return row({
      name: `${SCRIPTS} scripts: heap ÷ size of the files`,
      pairs,
      target: 3,
      better: 'below',
      unit: 'MiB',
    })
  } finally {
    await rm(dir, { recursive: true })
  }
}

/** In a function of its own, so that no frame keeps the scripts of the round before. */
function growth(files) {
  const before = heap()
  const scripts = loadSessionScripts(files)
  const grown = heap() - before
  if (scripts.length !== SCRIPTS) throw new Error(`${scripts.length} scripts`)
  return grown
}

/** What is in use after a full collection, in bytes. */
function heap() {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc')
  collect()
  collect()
  return process.memoryUsage().heapUsed
}

async function write(dir) {
  const calls = Array.from({ length: 5 }, (_, call) => answer(30, (at) => ` word${call}.${at}`))
  const texts = Array.from({ length: SCRIPTS }, (_, at) =>
    recording(at === 0 ? { id: 's0' } : { id: `s${at}`, parentSession: 's0' }, calls),
  )
  const files = texts.map((_, at) => join(dir, `session.${at}.jsonl`))
  await Promise.all(files.map((file, at) => writeFile(file, texts[at])))
  const [file, ...childFiles] = files
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  return { file, childFiles, bytes }
}
