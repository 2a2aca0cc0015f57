import { Context } from '@deepseek-ai/cordis'
import { expect, it } from 'vitest'
import * as spine from '../src/index.ts'

it('mounts the whole spine with defaults, and takes it away again', async () => {
  const ctx = new Context()
  const fiber = await ctx.plugin(spine, {})
  await new Promise<void>((resolve) => {
    ctx.inject(['llm', 'sessions', 'tools', 'agents', 'acp'], () => resolve())
  })
  expect(ctx.agents.config).toEqual({ model: 'deepseek-v4-flash' })
  await fiber.dispose()
  expect(ctx.get('acp')).toBeUndefined()
})

it('needs no configuration when it is applied in code', async () => {
  const ctx = new Context()
  spine.apply(ctx, {})
  await new Promise<void>((resolve) => {
    ctx.inject(['acp'], () => resolve())
  })
  expect(ctx.agents.config).toEqual({ model: 'deepseek-v4-flash' })
})

it('passes its parts on', async () => {
  const ctx = new Context()
  await ctx.plugin(spine, { agent: { model: 'm' } })
  await new Promise<void>((resolve) => {
    ctx.inject(['agents'], () => resolve())
  })
  expect(ctx.agents.config).toEqual({ model: 'm' })
})
