import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Context } from '@deepseek-ai/cordis'
import { expect, it, onTestFinished } from 'vitest'
import { mountSpine, type SpineConfig } from '../src/index.ts'

async function mounted(config: SpineConfig): Promise<Context> {
  const ctx = new Context()
  mountSpine(ctx, config)
  await new Promise<void>((resolve) => {
    ctx.inject(['llm', 'sessions', 'tools', 'agents'], () => resolve())
  })
  return ctx
}

it('mounts every part, with defaults', async () => {
  const ctx = await mounted({})
  expect(ctx.agents.config).toEqual({ model: 'deepseek-v4-flash' })
})

it.each([
  [true, ['session', 'text-chunks']],
  [undefined, ['session', 'assistant/chunk', 'assistant/chunk', 'assistant/chunk']],
])('passes its parts on: packChunks %s', async (packChunks, types) => {
  const root = await mkdtemp(join(tmpdir(), 'spine-'))
  onTestFinished(() => rm(root, { recursive: true }))
  const ctx = await mounted({ sessionsRoot: root, packChunks, agent: { model: 'm' } })
  expect(ctx.agents.config).toEqual({ model: 'm' })
  const session = ctx.sessions.create({ cwd: root })
  for (const text of ['a', 'b', 'c']) {
    const chunk = { type: 'text-delta', index: 0, text } as const
    session.append('assistant/chunk', { turn: 1, step: 1, chunk })
  }
  await ctx.sessions.flush(session)
  const files = await readdir(root, { recursive: true })
  const file = files.find((each) => each.endsWith('session.jsonl')) ?? ''
  const lines = (await readFile(join(root, file), 'utf8')).trimEnd().split('\n')
  expect(lines.map((line) => (JSON.parse(line) as { type: string }).type)).toEqual(types)
})
