import { describe, expect, test } from 'vitest'
import { Places } from '../src/places.ts'
import { createSession, mount } from './harness.ts'

const ctx = await mount()
const origin = { turn: 1, step: 2, call: 0, callId: 'call_0' }
const text = (value: unknown): string => JSON.stringify(value)

describe('the place of a child', () => {
  test('is the tool call, in the key order of the format, with its ordinal there', () => {
    const places = new Places()
    const parent = createSession(ctx)
    const context = { ...origin, cwd: '/w', session: parent }
    expect(text(places.next(parent, context))).toBe(
      '{"turn":1,"step":2,"call":0,"index":0,"callId":"call_0"}',
    )
    expect(text(places.next(parent, context))).toBe(
      '{"turn":1,"step":2,"call":0,"index":1,"callId":"call_0"}',
    )
  })

  test('is counted anew for every call, step, turn and parent, whatever the call ids', () => {
    const places = new Places()
    const parent = createSession(ctx)
    const index = (rest: object, of = parent): number =>
      places.next(of, { ...origin, ...rest }).index
    expect(index({})).toBe(0)
    expect([{ call: 1 }, { step: 3 }, { turn: 2 }].map((rest) => index(rest))).toEqual([0, 0, 0])
    expect(index({}, createSession(ctx))).toBe(0)
    expect(index({ callId: 'another' })).toBe(1)
    expect(index({})).toBe(2)
  })

  test('has no call id where the provider gave none', () => {
    const place = new Places().next(createSession(ctx), { ...origin, callId: '' })
    expect(place).toEqual({ turn: 1, step: 2, call: 0, index: 0 })
  })

  test('outside a call is the plugin and the last step of the log', () => {
    const places = new Places()
    const parent = createSession(ctx)
    const next = (plugin: string): string => text(places.next(parent, { plugin }))
    expect(next('p')).toBe('{"turn":0,"step":0,"plugin":"p","index":0}')
    parent.append('turn/start', {
      turn: 2,
      trigger: { kind: 'message', source: { kind: 'user' } },
    })
    expect(next('p')).toBe('{"turn":2,"step":0,"plugin":"p","index":0}')
    parent.append('step/start', { turn: 2, step: 3 })
    parent.append('step/end', { turn: 2, step: 3 })
    expect(next('p')).toBe('{"turn":2,"step":3,"plugin":"p","index":0}')
    expect(next('q')).toBe('{"turn":2,"step":3,"plugin":"q","index":0}')
    expect(next('p')).toBe('{"turn":2,"step":3,"plugin":"p","index":1}')
  })
})
