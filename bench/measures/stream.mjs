import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Context } from '@deepseek-ai/cordis'
import * as llm from 'dsh-llm'
import { installLlmReplay } from 'dsh-llm-replay'
import { pairedRatios, row } from '../lib/ratio.mjs'

const CHUNKS = 100_000

/** Chunks per millisecond from a replayed array to the loop, over those of a bare async generator. */
export async function measure() {
  const dir = await mkdtemp(join(tmpdir(), 'dsh-bench-'))
  try {
    const file = join(dir, 'session.jsonl')
    const chunks = recordedChunks()
    await writeFile(file, log(chunks))
    const pairs = await pairedRatios(
      15,
      () => rate(replayed(file)),
      () => rate(bare(chunks)),
    )
    return row({
      name: `${CHUNKS} chunks: replay ÷ bare async generator`,
      pairs,
      target: 0.5,
      better: 'above',
      unit: 'chunks/ms',
    })
  } finally {
    await rm(dir, { recursive: true })
  }
}

async function rate(stream) {
  const iterable = await stream
  const start = performance.now()
  let seen = 0
  for await (const chunk of iterable) if (chunk !== undefined) seen += 1
  if (seen !== CHUNKS) throw new Error(`expected ${CHUNKS} chunks, got ${seen}`)
  return seen / (performance.now() - start)
}

async function* bare(chunks) {
  yield* chunks
}

async function replayed(file) {
  const ctx = new Context()
  await ctx.plugin(llm)
  await new Promise((resolve) => {
    ctx.inject(['llm'], () => resolve())
  })
  installLlmReplay(ctx, { file })
  return ctx.llm.stream({ model: 'm', messages: [] })
}

function recordedChunks() {
  return Array.from({ length: CHUNKS }, (_, index) =>
    index < CHUNKS - 1
      ? { type: 'text-delta', index: 0, text: ` word${index % 97}` }
      : { type: 'finish', reason: { kind: 'stop' } },
  )
}

function log(chunks) {
  const header = { type: 'session', version: 0, id: 'bench', createdAt: 0 }
  const events = chunks.map((chunk, seq) => ({
    type: 'assistant/chunk',
    seq,
    time: 0,
    data: { turn: 1, step: 1, chunk },
  }))
  return [header, ...events].map((line) => `${JSON.stringify(line)}\n`).join('')
}
