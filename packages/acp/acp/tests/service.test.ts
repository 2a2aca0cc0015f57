import { describe, expect, it } from 'vitest'
import { hang, PLACE, rig, say, text } from './rig.ts'

async function prompting(): Promise<Awaited<ReturnType<typeof rig>> & { turn: Promise<unknown> }> {
  const r = await rig([hang])
  const { sessionId } = await r.client.agent.request('session/new', PLACE)
  const started = new Promise<void>((resolve) => {
    r.ctx.on('session/event', (_session, { type }) => {
      if (type === 'assistant/chunk') resolve()
    })
  })
  const turn = r.client.agent.request('session/prompt', { sessionId, prompt: say('x') })
  turn.catch(() => undefined)
  await started
  return { ...r, turn }
}

const DISPOSED = { turn: 1, reason: { kind: 'disposed' } }

describe('serve', () => {
  it('ends running turns as disposed and flushes them when the client goes', async () => {
    const r = await prompting()
    const [session] = r.ctx.sessions.list()
    const flushed: unknown[] = []
    r.ctx.on('session/flush', async ({ events }) => void flushed.push(events.at(-1)?.data))
    r.input.end()
    await r.serving.closed
    await r.serving.ended
    expect(session?.events.at(-1)?.data).toEqual(DISPOSED)
    expect(flushed[0]).toEqual(DISPOSED)
    expect(r.ctx.sessions.list()).toEqual([])
  })

  it('ends in the same way when it is closed from this side, once', async () => {
    const r = await prompting()
    const [session] = r.ctx.sessions.list()
    r.serving.close()
    r.serving.close()
    await r.serving.ended
    expect(session?.events.at(-1)?.data).toEqual(DISPOSED)
  })

  it('ends in the same way when the output breaks, and says so once', async () => {
    const r = await prompting()
    const [session] = r.ctx.sessions.list()
    r.output.destroy(new Error('EPIPE'))
    session?.append('assistant/chunk', {
      turn: 1,
      step: 1,
      chunk: { type: 'text-delta', index: 0, text: 'into the void' },
    })
    await r.serving.ended
    expect(session?.events.at(-1)?.data).toEqual(DISPOSED)
  })

  it('rejects with what could not be flushed', async () => {
    const r = await prompting()
    r.ctx.on('session/flush', async () => {
      throw new Error('disk full')
    })
    r.input.end()
    await expect(r.serving.ended).rejects.toThrow('disk full')
  })

  it('goes on numbering roots over connections of one process', async () => {
    const r = await rig([text('a')])
    await r.client.agent.request('session/new', PLACE)
    r.input.end()
    await r.serving.ended
    const second = await rig()
    await second.client.agent.request('session/new', PLACE)
    expect(second.ctx.sessions.list()[0]?.header.root).toBe(0)
  })
})
