import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Clock, systemClock } from 'dsh-brand'
import { describe, expect, it } from 'vitest'
import { embeddedModel, type ModelCommand, WireProcess } from '../../src/record/wire-process.ts'

const MODEL = fileURLToPath(new URL('../agents/model.mjs', import.meta.url))
const REPORT = { ok: true, served: [], refused: [], unused: [] }

function start(
  how: string,
  more: { command?: ModelCommand; timeoutMs?: number; clock?: Clock } = {},
) {
  return WireProcess.start({
    command: [process.execPath, MODEL, how, JSON.stringify(REPORT)],
    script: 'wire.json',
    cwd: '/somewhere',
    clock: systemClock,
    ...more,
  })
}

it('serves until its end, and reports', async () => {
  const wire = await start('serves')
  expect(wire.url).toBe('http://127.0.0.1:9')
  await expect(wire.end()).resolves.toEqual({ report: REPORT })
})

describe('a model that does not start', () => {
  it.each([
    ['fails', 'the embedded model did not start: wire.json: rules: no such rule'],
    ['garbles', 'the embedded model did not start: this is no line of ours'],
  ])('%s', async (how, message) => {
    await expect(start(how)).rejects.toMatchObject({ code: 'BAD_MODEL', message })
  })

  it('is given up after a bound, and killed', async () => {
    await expect(start('mute', { timeoutMs: 1 })).rejects.toMatchObject({
      message: 'the embedded model did not start: it did not say that it serves',
    })
  })

  it('is a program that is not there', async () => {
    const command: ModelCommand = ['/no/such/program']
    await expect(start('', { command })).rejects.toThrow(/did not start: .*ENOENT/)
  })
})

describe('a model that ends without a report', () => {
  it('says so', async () => {
    const wire = await start('loses')
    await expect(wire.end()).resolves.toEqual({ failure: 'it ended without a report' })
  })

  it('is killed when it stays', async () => {
    let patience = 1
    const after: Clock['after'] = (ms, run, options) =>
      systemClock.after(ms * patience, run, options)
    const wire = await start('stays', { clock: { ...systemClock, after } })
    // The bound is over at once from here on; how long a start takes is the machine's affair.
    patience = 0
    await expect(wire.end()).resolves.toEqual({ failure: 'it ended without a report' })
  })
})

it('is the one of this project by default', () => {
  const [program, bin] = embeddedModel()
  expect(program).toBe(process.execPath)
  expect(bin).toMatch(/llm-wire\/bin\.js$/)
  expect(existsSync(bin as string)).toBe(true)
})
