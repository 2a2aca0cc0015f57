import { Context } from '@deepseek-ai/cordis'
import { brandString } from 'dsh-brand'
import * as llm from 'dsh-llm'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import * as plugin from '../src/index.ts'
import { delta, events, TestServer } from './support/server.ts'

const request: llm.GenerateOptions = { model: 'm', messages: [] }
async function collect(stream: llm.ModelStream): Promise<llm.StreamChunk[]> {
  const chunks: llm.StreamChunk[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return chunks
}

let root: Context
let server: TestServer
beforeEach(async () => {
  vi.stubEnv('DEEPSEEK_API_KEY', undefined)
  vi.stubEnv('DEEPSEEK_BASE_URL', undefined)
  root = new Context()
  await root.plugin(llm)
  server = await TestServer.start(events(delta({ content: 'hi' }, 'stop'), '[DONE]'))
})
afterEach(async () => {
  await root.fiber.dispose()
  await server.stop()
  vi.unstubAllEnvs()
})

test('has the shape of a plugin: named exports, no default', () => {
  expect(plugin.name).toBe('llm-deepseek')
  expect(plugin.inject).toEqual(['llm'])
  expect('default' in plugin).toBe(false)
})

test('answers calls through ctx.llm with what the environment says, and leaves with its fiber', async () => {
  vi.stubEnv('DEEPSEEK_API_KEY', 'sk-env')
  vi.stubEnv('DEEPSEEK_BASE_URL', server.url)
  const fiber = await root.plugin(plugin, undefined as never)
  expect(await collect(root.llm.stream(request))).toHaveLength(4)
  expect(server.received[0]?.headers.authorization).toBe('Bearer sk-env')
  await fiber.dispose()
  await expect(collect(root.llm.stream(request))).rejects.toMatchObject({ code: 'NO_ADAPTER' })
})

test('case R6: loads without a key; the first call fails with AUTH', async () => {
  await root.plugin(plugin, { apiKey: undefined })
  await expect(collect(root.llm.stream(request))).rejects.toMatchObject({ code: 'AUTH' })
})

test('does not load with a configuration that it does not understand', async () => {
  await expect(root.plugin(plugin, { api_key: 'k' } as plugin.Config)).rejects.toThrow('api_key')
})

test('does not load with a base URL that cannot be used', async () => {
  await expect(root.plugin(plugin, { baseUrl: 'nowhere' })).rejects.toThrow(
    'baseUrl is not an absolute URL',
  )
})

describe('sessionHeader', () => {
  const call = { ...request, sessionId: brandString<'SessionId'>('s-1') }

  test('asks ctx.lineageOf, which may come after the adapter', async () => {
    await root.plugin(plugin, { apiKey: 'k', baseUrl: server.url, sessionHeader: 'x-lineage' })
    root.provide('lineageOf', (id: string) => `lineage-of-${id}`)
    await collect(root.llm.stream(call))
    expect(server.received[0]?.headers['x-lineage']).toBe('lineage-of-s-1')
  })

  test('without ctx.lineageOf, says so instead of leaving the header out', async () => {
    await root.plugin(plugin, { apiKey: 'k', baseUrl: server.url, sessionHeader: 'x-lineage' })
    await expect(collect(root.llm.stream(call))).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
    expect(server.received).toEqual([])
  })
})
