import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Context } from '@deepseek-ai/cordis'
import * as llm from 'dsh-llm'
import { installLlmReplay } from 'dsh-llm-replay'
import * as session from 'dsh-session'
import { pairedRatios, row } from '../lib/ratio.mjs'
import { answer, recording } from '../lib/recording.mjs'

const [MANY, FEW, CALLS] = [1000, 10, 20]
/** So often the few call, that both sides make the same number of calls. */
const REPEATS = MANY / FEW

/** Calls per millisecond with many live sessions over those with few, binding included. */
export async function measure() {
  const dir = await mkdtemp(join(tmpdir(), 'dsh-bench-'))
  try {
    const files = await write(dir)
    const few = files.slice(0, FEW + 1)
    const pairs = await pairedRatios(
      9,
      async () => (MANY * CALLS) / (await time(files)),
      async () => {
        let spent = 0
        for (let run = 0; run < REPEATS; run += 1) spent += await time(few)
        return (MANY * CALLS) / spent
      },
    )
    return row({
      name: `${CALLS} calls each of ${MANY} sessions ÷ of ${FEW}`,
      pairs,
      target: 0.8,
      better: 'above',
      unit: 'calls/ms',
    })
  } finally {
    await rm(dir, { recursive: true })
  }
}

/** Milliseconds of all calls of the children, taken in turn. */
async function time(files) {
  const [file, ...childFiles] = files
  const ctx = new Context()
  await ctx.plugin(llm)
  await ctx.plugin(session)
  await new Promise((resolve) => {
    ctx.inject(['llm', 'sessions'], () => resolve())
  })
  const dispose = installLlmReplay(ctx, { file, childFiles })
  const { sessions } = ctx
  const start = performance.now()
  const root = sessions.create({ cwd: '/live', root: 0 })
  const live = childFiles.map((_, call) =>
    sessions.create({ cwd: '/live', parentSession: root.id, spawnedBy: place(call) }),
  )
  for (let call = 0; call < CALLS; call += 1) {
    for (const { id } of live) {
      for await (const chunk of ctx.llm.stream({ model: 'm', messages: [], sessionId: id })) {
        if (chunk === undefined) throw new Error('no chunk')
      }
    }
  }
  const spent = performance.now() - start
  dispose()
  return spent
}

function place(call) {
  return { turn: 1, step: 1, call, index: 0 }
}

async function write(dir) {
  const calls = Array.from({ length: CALLS }, () => answer(5))
  const texts = Array.from({ length: MANY }, (_, call) =>
    recording(
      { id: `c${call}`, cwd: '/rec', parentSession: 'root', spawnedBy: place(call) },
      calls,
    ),
  )
  const logs = [recording({ id: 'root', cwd: '/rec', root: 0 }, []), ...texts]
  const files = logs.map((_, at) => join(dir, `session.${at}.jsonl`))
  await Promise.all(files.map((file, at) => writeFile(file, logs[at])))
  return files
}
