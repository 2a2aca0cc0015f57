import { expect, it } from 'vitest'
import { resolveMode } from '../../src/mode/resolve.ts'
import type { Effects, ModeInput } from '../../src/mode/types.ts'

const modes = ['replay', 'refresh', 'record'] as const
const sources = ['api', 'wire', 'authored'] as const
const outs = ['none', 'inside', 'outside'] as const
const all: ModeInput[] = modes.flatMap((mode) =>
  sources.flatMap((source) =>
    outs.flatMap((out) =>
      [true, false].flatMap((ci) =>
        [undefined, 'no key'].map((keyMissing) => ({ mode, source, out, ci, keyMissing })),
      ),
    ),
  ),
)
const base: ModeInput = {
  mode: 'replay',
  ci: false,
  keyMissing: 'no key',
  source: 'api',
  out: 'none',
}
const resolve = (more: Partial<ModeInput>): Effects => resolveMode({ ...base, ...more })
const effect = (effects: Effects) =>
  effects.kind === 'run' ? `${effects.model} to ${effects.write}` : effects.kind

it('case R6, R9: replay answers from the recording and writes nowhere, key or no key', () => {
  for (const input of all.filter(({ mode, out }) => mode === 'replay' && out === 'none')) {
    expect(resolveMode(input)).toEqual({
      kind: 'run',
      model: 'recording',
      write: 'nowhere',
      writeOnlyIfReplayIsClean: false,
      compare: true,
    })
  }
  for (const out of ['inside', 'outside'] as const) {
    expect(resolve({ out })).toEqual({
      kind: 'refuse',
      reason: 'replay writes nothing, so --out has no meaning; did you mean refresh?',
    })
  }
})

it('CI never writes into a checkout, in any mode', () => {
  const writing = all.filter(({ ci, out }) => ci && out !== 'outside')
  for (const input of writing) {
    const effects = resolveMode(input)
    expect(effects.kind === 'run' ? effects.write : 'nowhere').toBe('nowhere')
  }
  expect(resolve({ mode: 'refresh', ci: true })).toEqual({
    kind: 'refuse',
    reason:
      'CI never writes into a checkout; run refresh elsewhere, or give --out a folder outside',
  })
  expect(resolve({ mode: 'record', source: 'wire', ci: true, out: 'inside' })).toEqual({
    kind: 'refuse',
    reason: 'CI never writes into a checkout, and the folder of --out is inside it',
  })
})

it.each([
  [{ mode: 'refresh' }, 'recording to scenario'],
  [{ mode: 'refresh', source: 'authored' }, 'recording to scenario'],
  [{ mode: 'refresh', out: 'inside' }, 'recording to out'],
  [{ mode: 'refresh', out: 'outside', ci: true }, 'recording to out'],
  [{ mode: 'record', keyMissing: undefined }, 'endpoint to scenario'],
  [{ mode: 'record', keyMissing: undefined, out: 'outside', ci: true }, 'endpoint to out'],
  [{ mode: 'record', keyMissing: undefined, ci: true }, 'refuse'],
  [{ mode: 'record', keyMissing: 'no key' }, 'skip'],
  [{ mode: 'record', keyMissing: 'no key', ci: true }, 'skip'],
  [{ mode: 'record', source: 'wire' }, 'embedded to scenario'],
  [{ mode: 'record', source: 'wire', keyMissing: undefined }, 'embedded to scenario'],
  [{ mode: 'record', source: 'wire', out: 'outside', ci: true }, 'embedded to out'],
  [{ mode: 'record', source: 'authored', keyMissing: undefined }, 'skip'],
] as const)('%j: %s', (input, wanted) => {
  expect(effect(resolve(input))).toBe(wanted)
})

it('says why a recording is skipped', () => {
  expect(resolve({ mode: 'record' })).toEqual({
    kind: 'skip',
    reason: 'no key',
  })
  expect(resolve({ mode: 'record', source: 'authored' })).toEqual({
    kind: 'skip',
    reason: 'authored by hand, never recorded (its input.json names no other source)',
  })
})

it('refresh writes only what a clean replay produced; writing modes compare nothing', () => {
  expect(resolve({ mode: 'refresh' })).toMatchObject({
    writeOnlyIfReplayIsClean: true,
    compare: false,
  })
  expect(resolve({ mode: 'record', source: 'wire' })).toMatchObject({
    writeOnlyIfReplayIsClean: false,
    compare: false,
  })
})
