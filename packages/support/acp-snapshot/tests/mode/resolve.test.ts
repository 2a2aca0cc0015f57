import { expect, it } from 'vitest'
import { resolveMode } from '../../src/mode/resolve.ts'
import type { ModeInput } from '../../src/mode/types.ts'

const plain: ModeInput = {
  mode: 'replay',
  ci: false,
  keyPresent: false,
  source: 'wire',
  out: 'none',
}
const said = (input: Partial<ModeInput>) => {
  const effects = resolveMode({ ...plain, ...input })
  if (effects.kind !== 'run') return `${effects.kind}: ${effects.reason}`
  const { model, write, writeOnlyIfReplayIsClean, compare } = effects
  return [model, write, writeOnlyIfReplayIsClean && 'if clean', compare && 'compares']
    .filter(Boolean)
    .join(' ')
}

it.each<[Partial<ModeInput>, string | RegExp]>([
  [{}, 'recording nowhere compares'],
  [{ ci: true, keyPresent: true }, 'recording nowhere compares'],
  [{ out: 'outside' }, /^refuse: replay writes nothing/],
  [{ mode: 'refresh' }, 'recording scenario if clean'],
  [{ mode: 'refresh', out: 'inside' }, 'recording out if clean'],
  [
    { mode: 'refresh', ci: true },
    /^refuse: CI never writes into a checkout; run refresh elsewhere/,
  ],
  [{ mode: 'record' }, 'embedded scenario'],
  [{ mode: 'record', keyPresent: true }, 'embedded scenario'],
  [{ mode: 'record', ci: true, out: 'outside' }, 'embedded out'],
  [{ mode: 'record', ci: true, out: 'inside' }, /^refuse: .*the folder of --out is inside it$/],
  [{ mode: 'record', source: 'authored', keyPresent: true }, /^skip: authored by hand/],
  [{ mode: 'record', source: 'api' }, /^skip: recorded from the real endpoint only/],
  [{ mode: 'record', source: 'api', keyPresent: true }, 'endpoint scenario'],
  [{ mode: 'record', source: 'api', keyPresent: true, ci: true }, /^refuse: CI never writes/],
])('%j has the effects %s', (input, expected) => {
  expect(said(input)).toEqual(
    typeof expected === 'string' ? expected : (expect.stringMatching(expected) as string),
  )
})
