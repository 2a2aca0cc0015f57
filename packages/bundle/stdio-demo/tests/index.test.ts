import { Context } from '@deepseek-ai/cordis'
import { expect, it } from 'vitest'
import * as bundle from '../src/index.ts'

it('mounts the spine without a bridge, and takes it away again', async () => {
  const ctx = new Context()
  const fiber = await ctx.plugin(bundle, { agent: { model: 'm' } })
  await new Promise<void>((resolve) => {
    ctx.inject(['llm', 'sessions', 'tools', 'agents'], () => resolve())
  })
  expect(ctx.agents.config).toEqual({ model: 'm' })
  expect(ctx.get('acp')).toBeUndefined()
  await fiber.dispose()
  expect(ctx.get('agents')).toBeUndefined()
})

it('refuses what belongs to another composition', () => {
  expect(bundle.Config.parse(undefined)).toEqual({ agent: {} })
  expect(bundle.Config.safeParse({ acp: {} }).success).toBe(false)
})
