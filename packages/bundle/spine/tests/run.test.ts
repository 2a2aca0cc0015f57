import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Context } from '@deepseek-ai/cordis'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { exitAfter, type Serving, serveComposition } from '../src/index.ts'
import { FakeProcess } from './process.ts'

let dir: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'spine-'))
})
afterEach(() => rm(dir, { recursive: true }))

/** Boots one row and says what happened, in order. */
async function run(process: FakeProcess, serve: (ctx: Context) => Serving | Promise<Serving>) {
  const config = join(dir, 'cordis.yml')
  await writeFile(config, '- { id: row, name: row }')
  const happened: string[] = []
  const row = {
    name: 'row',
    apply(ctx: Context) {
      happened.push('up')
      ctx.effect(() => () => void happened.push('down'))
    },
  }
  const outcome = await serveComposition(
    { config: pathToFileURL(config), importer: { import: () => Promise.resolve(row) } },
    process,
    (ctx) => {
      happened.push('serve')
      return serve(ctx)
    },
  ).catch((error: unknown) => error)
  return { happened, outcome }
}

describe('serveComposition', () => {
  it('boots, serves with the signals in hand, and takes everything away', async () => {
    const process = new FakeProcess()
    let close = () => undefined as void
    const closed = new Promise<void>((resolve) => {
      close = resolve
    })
    const { happened, outcome } = await run(process, async () => {
      setImmediate(() => process.emit('SIGTERM'))
      return { closed, ended: closed, close }
    })
    expect(outcome).toBeUndefined()
    expect(happened).toEqual(['up', 'serve', 'down'])
    expect(process.listening()).toBe(0)
  })

  it('takes everything away after a failure, too', async () => {
    const process = new FakeProcess()
    const failed = await run(process, () => ({
      closed: Promise.resolve(),
      ended: Promise.reject(new Error('not saved')),
      close: () => undefined,
    }))
    expect(failed).toEqual({
      happened: ['up', 'serve', 'down'],
      outcome: expect.objectContaining({ message: 'not saved' }),
    })
    expect(process.listening()).toBe(0)
    const unopened = await run(process, () => Promise.reject(new Error('no session')))
    expect(unopened).toEqual({
      happened: ['up', 'serve', 'down'],
      outcome: expect.objectContaining({ message: 'no session' }),
    })
  })

  it('boots nothing where the mode is unknown', async () => {
    const process = new FakeProcess({ DSH_SNAPSHOT: 'rec' })
    const { happened, outcome } = await run(process, () => Promise.reject(new Error('served')))
    expect(happened).toEqual([])
    expect(outcome).toMatchObject({ code: 'BAD_SNAPSHOT_MODE' })
  })
})

describe('exitAfter', () => {
  it('exits with 0, without a word', async () => {
    const process = new FakeProcess()
    await exitAfter(process, () => Promise.resolve())
    expect([process.exits, process.said()]).toEqual([[0], ''])
  })

  it('exits with 1, and says why', async () => {
    const process = new FakeProcess()
    await exitAfter(process, () => Promise.reject(new Error('not saved')))
    expect([process.exits, process.said()]).toEqual([[1], 'not saved\n'])
  })
})
