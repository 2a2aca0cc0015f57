import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { client, type ClientConnection, ndJsonStream } from '@agentclientprotocol/sdk'
import type { Context } from '@deepseek-ai/cordis'
import { type Clock, systemClock } from 'dsh-brand'
import type { StreamChunk } from 'dsh-llm'
import { parseLogText } from 'dsh-session'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FakeProcess } from '../../spine/tests/process.ts'
import * as spine from '../src/index.ts'

let dir: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'acp-demo-'))
})
afterEach(() => rm(dir, { recursive: true }))

let deafCalled: () => void = () => undefined
/** Runs for ever, whatever its signal says. */
const deaf = {
  name: 'deaf',
  inject: ['tools'],
  apply(ctx: Context) {
    ctx.tools.register({
      name: 'deaf',
      description: '',
      parameters: { type: 'object' },
      kind: 'other',
      execute: () => {
        deafCalled()
        return new Promise(() => undefined)
      },
    })
  },
}

const callsDeaf = {
  name: 'model',
  inject: ['llm'],
  apply(ctx: Context) {
    ctx.on('llm/stream', async function* (): AsyncGenerator<StreamChunk> {
      const block = { type: 'tool-call', id: 'c', name: 'deaf', arguments: '{}' } as const
      yield { type: 'block-end', index: 0, block }
      yield { type: 'finish', reason: { kind: 'tool-calls' } }
    })
  },
}

const model = {
  name: 'model',
  inject: ['llm'],
  apply(ctx: Context) {
    ctx.on('llm/stream', async function* (): AsyncGenerator<StreamChunk> {
      for (const text of ['P', 'ON', 'G']) yield { type: 'text-delta', index: 0, text }
      yield { type: 'finish', reason: { kind: 'stop' } }
    })
  },
}

async function run(
  process: FakeProcess,
  options: {
    readonly extra?: string
    readonly root?: string
    readonly spine?: string
    readonly model?: unknown
    readonly clock?: Clock
  } = {},
): Promise<void> {
  const { extra = '', root = 'sessions', spine: more = '', clock } = options
  const rows = [
    '- { id: model, name: model }',
    `- { id: spine, name: spine, config: { sessionsRoot: ${JSON.stringify(join(dir, root))}, agent: { model: m }, acp: { name: n }${more} } }`,
    extra,
  ]
  const config = join(dir, 'cordis.yml')
  await writeFile(config, rows.join('\n'))
  const modules: Record<string, unknown> = { model: options.model ?? model, spine, deaf }
  await spine.runAcpAgent(
    {
      config: pathToFileURL(config),
      importer: {
        import: (name) =>
          name in modules
            ? Promise.resolve(modules[name])
            : Promise.reject(new Error(`no module ${name}`)),
      },
      ...(clock !== undefined && { clock }),
    },
    process,
  )
}

async function connect(process: FakeProcess): Promise<ClientConnection> {
  const connection = client({ name: 'test' }).connect(
    ndJsonStream(
      Writable.toWeb(process.stdin),
      Readable.toWeb(process.stdout) as ReadableStream<Uint8Array>,
    ),
  )
  const { agentInfo } = await connection.agent.request('initialize', { protocolVersion: 1 })
  expect(agentInfo?.name).toBe('n')
  return connection
}

describe('runAcpAgent', () => {
  it('serves until the client goes, keeps the log, and exits with 0', async () => {
    const process = new FakeProcess({ DSH_SNAPSHOT: '' })
    const done = run(process)
    const { agent } = await connect(process)
    const { sessionId } = await agent.request('session/new', { cwd: dir, mcpServers: [] })
    await expect(
      agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'ping' }] }),
    ).resolves.toEqual({ stopReason: 'end_turn' })
    process.stdin.end()
    await done
    expect(process.exits).toEqual([0])
    expect(process.said()).toBe('')
    const files = await readdir(join(dir, 'sessions'), { recursive: true })
    expect(files.filter((file) => file.endsWith('session.jsonl'))).toHaveLength(1)
  })

  it('writes packed logs where told to, and loads them where not', async () => {
    const prompt = [{ type: 'text' as const, text: 'ping' }]
    const log = async (): Promise<string[]> => {
      const files = await readdir(join(dir, 'sessions'), { recursive: true })
      const file = files.find((each) => each.endsWith('session.jsonl')) ?? ''
      return (await readFile(join(dir, 'sessions', file), 'utf8')).split('\n').slice(0, -1)
    }
    const packing = new FakeProcess()
    const packed = run(packing, { spine: ', packChunks: true' })
    const first = await connect(packing)
    const { sessionId } = await first.agent.request('session/new', { cwd: dir, mcpServers: [] })
    await first.agent.request('session/prompt', { sessionId, prompt })
    packing.stdin.end()
    await packed
    const written = await log()
    expect(written.filter((line) => line.includes('"text-delta"'))).toEqual([])
    expect(written.filter((line) => line.startsWith('{"type":"text-chunks"'))).toHaveLength(1)

    const process = new FakeProcess()
    const done = run(process)
    const { agent } = await connect(process)
    await agent.request('session/load', { sessionId, cwd: dir, mcpServers: [] })
    await agent.request('session/prompt', { sessionId, prompt })
    process.stdin.end()
    await done
    expect([packing.exits, process.exits, process.said()]).toEqual([[0], [0], ''])
    const after = await log()
    expect(after.slice(0, written.length)).toEqual(written)
    const { events } = parseLogText(`${after.join('\n')}\n`)
    const pieces = events
      .filter((event) => event.type === 'assistant/chunk')
      .map((event) => (event.data as { chunk: { text?: string } }).chunk.text)
    expect(pieces).toEqual(['P', 'ON', 'G', undefined, 'P', 'ON', 'G', undefined])
    expect(after.slice(written.length).filter((line) => line.includes('-chunks"'))).toEqual([])
  })

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'leaves in order on %s and listens no more',
    async (signal) => {
      const process = new FakeProcess({ DSH_SNAPSHOT: 'record' })
      const done = run(process)
      await connect(process)
      process.emit(signal)
      await done
      expect(process.exits).toEqual([0])
      expect(process.listenerCount('SIGINT') + process.listenerCount('SIGTERM')).toBe(0)
    },
  )

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('exits at once on a second %s', async (signal, code) => {
    const process = new FakeProcess()
    const done = run(process)
    await connect(process)
    process.emit(signal)
    process.emit(signal)
    expect(process.exits).toEqual([code])
    await done
  })

  it('does not wait for ever for a tool that ignores its end', async () => {
    const bounds: (() => void)[] = []
    const clock: Clock = {
      ...systemClock,
      after(ms, fire) {
        expect(ms).toBe(10_000)
        bounds.push(fire)
        return () => undefined
      },
    }
    const process = new FakeProcess()
    const done = run(process, {
      extra: '- { id: deaf, name: deaf }',
      model: callsDeaf,
      clock,
    })
    const { agent } = await connect(process)
    const called = new Promise<void>((resolve) => {
      deafCalled = resolve
    })
    const { sessionId } = await agent.request('session/new', { cwd: dir, mcpServers: [] })
    const prompt = [{ type: 'text' as const, text: 'x' }]
    agent.request('session/prompt', { sessionId, prompt }).catch(() => undefined)
    await called
    process.stdin.end()
    while (bounds.length === 0) await new Promise((resolve) => setImmediate(resolve))
    expect(process.exits).toEqual([])
    bounds[0]?.()
    await done
    expect(process.exits).toEqual([1])
    expect(process.said()).toMatch(/^the running turns did not end within 10000 ms/)
  })

  it('says why a composition cannot start, opens nothing, and exits with 1', async () => {
    const process = new FakeProcess()
    await run(process, { extra: '- { id: gone, name: gone }' })
    expect(process.exits).toEqual([1])
    expect(process.said()).toContain('no module gone')
    expect(process.stdout.readableLength).toBe(0)
  })

  it('says what could not be saved, and exits with 1', async () => {
    await writeFile(join(dir, 'file'), '')
    const process = new FakeProcess()
    const done = run(process, { root: 'file' })
    const { agent } = await connect(process)
    const { sessionId } = await agent.request('session/new', { cwd: dir, mcpServers: [] })
    const prompt = [{ type: 'text' as const, text: 'ping' }]
    await expect(agent.request('session/prompt', { sessionId, prompt })).rejects.toMatchObject({
      code: -32603,
      message: expect.stringContaining(join(dir, 'file')),
    })
    process.stdin.end()
    await done
    expect(process.exits).toEqual([1])
    expect(process.said()).toContain(join(dir, 'file'))
  })

  it('refuses a mode that it does not know, and replay without a composition for it', async () => {
    const unknown = new FakeProcess({ DSH_SNAPSHOT: 'rec' })
    await run(unknown)
    expect(unknown.exits).toEqual([1])
    expect(unknown.said()).toBe(
      'DSH_SNAPSHOT must be "replay" or "record", got "rec"; unset it for a live run\n',
    )
    const replay = new FakeProcess({ DSH_SNAPSHOT: 'replay' })
    await run(replay)
    expect(replay.exits).toEqual([1])
    expect(replay.said()).toMatch(/^DSH_SNAPSHOT is "replay", but this agent has no snapshot comp/)
  })

  it('boots the snapshot composition for replay', async () => {
    const snapshot = join(dir, 'cordis.snapshot.yml')
    await writeFile(snapshot, '- { id: gone, name: only-in-snapshot }')
    const process = new FakeProcess({ DSH_SNAPSHOT: 'replay' })
    await spine.runAcpAgent(
      { config: pathToFileURL(join(dir, 'none.yml')), snapshotConfig: pathToFileURL(snapshot) },
      process,
    )
    expect(process.said()).toContain('only-in-snapshot')
  })
})
