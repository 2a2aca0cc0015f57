import { describe, expect, it } from 'vitest'
import type { Serving } from '../src/index.ts'
import { closeOnSignal } from '../src/signals.ts'
import { FakeProcess } from './process.ts'

function opened(interrupts?: boolean[]) {
  const process = new FakeProcess()
  const closes: string[] = []
  const serving: Serving = {
    closed: Promise.resolve(),
    ended: Promise.resolve(),
    close: () => void closes.push('close'),
    ...(interrupts !== undefined && { interrupt: () => interrupts.shift() ?? false }),
  }
  return { process, closes, release: closeOnSignal(serving, process) }
}

describe.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s', (signal, code) => {
  it('closes once, then exits at once', () => {
    const { process, closes } = opened()
    process.emit(signal)
    expect([closes, process.exits]).toEqual([['close'], []])
    process.emit(signal)
    expect([closes, process.exits]).toEqual([['close'], [code]])
  })
})

it('SIGINT interrupts for as long as there is something to interrupt', () => {
  const { process, closes } = opened([true, true])
  process.emit('SIGINT')
  process.emit('SIGINT')
  expect(closes).toEqual([])
  process.emit('SIGINT')
  expect([closes, process.exits]).toEqual([['close'], []])
  process.emit('SIGINT')
  expect(process.exits).toEqual([130])
})

it('SIGTERM interrupts nothing', () => {
  const { process, closes } = opened([true])
  process.emit('SIGTERM')
  expect(closes).toEqual(['close'])
  process.emit('SIGINT')
  expect(process.exits).toEqual([130])
})

it('gives the signals back', () => {
  const { process, release } = opened()
  expect(process.listening()).toBe(2)
  release()
  expect(process.listening()).toBe(0)
})
