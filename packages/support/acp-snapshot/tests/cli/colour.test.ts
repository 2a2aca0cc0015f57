import { expect, it } from 'vitest'
import { wantsColour } from '../../src/cli/colour.ts'

it.each([
  ['on a terminal', true, {}, true],
  ['where the user wants none', true, { NO_COLOR: '1' }, false],
  ['where NO_COLOR is empty', true, { NO_COLOR: '' }, true],
  ['on a terminal that knows none', true, { TERM: 'dumb' }, false],
  ['in a pipe', undefined, {}, false],
  ['in a pipe, asked for', undefined, { FORCE_COLOR: '1' }, true],
  ['in a pipe, not really asked for', undefined, { FORCE_COLOR: '' }, false],
  ['on a terminal, switched off', true, { FORCE_COLOR: '0' }, false],
  ['asked for and not wanted', true, { FORCE_COLOR: '1', NO_COLOR: '1' }, false],
])('%s', (_where, isTTY, env, colours) => {
  const stdout = { write: () => true, isTTY }
  expect(wantsColour({ stdout, env })).toBe(colours)
})
