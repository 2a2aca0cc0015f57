import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Context } from '@deepseek-ai/cordis'
import * as llm from 'dsh-llm'
import { installLlmReplay } from 'dsh-llm-replay'
import * as session from 'dsh-session'
import { pairedRatios, row } from '../lib/ratio.mjs'
import { answer, recording } from '../lib/recording.mjs'

const CHUNKS = 100_000
const DELTAS = CHUNKS - 4
const RECORDED = '/home/someone/projects/thing'
/** A path in two pieces, every so often. */
const WORDS = { 48: ` ${RECORDED.slice(0, 12)}`, 49: `${RECORDED.slice(12)}/src/a.ts` }
const PATHS = Math.floor(DELTAS / 50)

/**
 * Chunks per millisecond of one call, from its making on, where the working directory is another
 * than the recorded one, over those of a bare async generator.
 */
export async function measure() {
  const dir = await mkdtemp(join(tmpdir(), 'dsh-bench-'))
  try {
    const chunks = answer(DELTAS, (at) => WORDS[at % 50] ?? ` word${at % 97}`)
    const file = join(dir, 'session.jsonl')
    await writeFile(file, recording({ id: 'bench', cwd: RECORDED, root: 0 }, [chunks]))
    const pairs = await pairedRatios(
      15,
      async () => rate(await replayed(file), PATHS),
      () => rate(() => bare(chunks), 0),
    )
    return row({
      name: `${CHUNKS} chunks, paths mapped: replay ÷ bare async generator`,
      pairs,
      target: 0.5,
      better: 'above',
      unit: 'chunks/ms',
    })
  } finally {
    await rm(dir, { recursive: true })
  }
}

async function rate(call, paths) {
  const start = performance.now()
  let [seen, mapped] = [0, 0]
  for await (const chunk of call()) {
    seen += 1
    if (chunk.type === 'text-delta' && chunk.text.includes('/live/')) mapped += 1
  }
  const spent = performance.now() - start
  if (seen !== CHUNKS) throw new Error(`expected ${CHUNKS} chunks, got ${seen}`)
  if (mapped !== paths) throw new Error(`expected ${paths} mapped paths, got ${mapped}`)
  return seen / spent
}

async function* bare(chunks) {
  yield* chunks
}

async function replayed(file) {
  const ctx = new Context()
  await ctx.plugin(llm)
  await ctx.plugin(session)
  await new Promise((resolve) => {
    ctx.inject(['llm', 'sessions'], () => resolve())
  })
  installLlmReplay(ctx, { file })
  const { id } = ctx.sessions.create({ cwd: '/live/elsewhere', root: 0 })
  return () => ctx.llm.stream({ model: 'm', messages: [], sessionId: id })
}
