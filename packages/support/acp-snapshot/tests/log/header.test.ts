import { expect, it } from 'vitest'
import { readHeader } from '../../src/log/header.ts'
import { header, jsonl } from '../temp.ts'

it('reads all that it knows', () => {
  const spawnedBy = { turn: 1, step: 2, call: 0, index: 0, callId: 'c' }
  const more = { cwd: '/w', parentSession: 'p', seedLength: 3, spawnedBy, root: 1, extra: true }
  expect(readHeader(jsonl(header('a', more)), 'f')).toEqual({
    id: 'a',
    createdAt: 0,
    cwd: '/w',
    parentSession: 'p',
    seedLength: 3,
    spawnedBy,
    root: 1,
  })
})

it('needs neither a version nor more than id and createdAt', () => {
  expect(readHeader('{"type":"session","id":"a","createdAt":5}', 'f')).toEqual({
    id: 'a',
    createdAt: 5,
  })
})

it.each([
  { turn: '1', step: 1, call: 0, index: 0 },
  { turn: 1, step: null, call: 0, index: 0 },
  { turn: 1, step: 1, call: 0 },
  { turn: 1, step: 1, index: 0 },
  { turn: 1, step: 1, call: true, index: 0 },
  [],
])('ignores a place of another shape: %j', (spawnedBy) => {
  expect(readHeader(jsonl(header('a', { spawnedBy })), 'f')).not.toHaveProperty('spawnedBy')
})

it('takes the place of a plugin', () => {
  const spawnedBy = { turn: 1, step: 1, plugin: 'hook', index: 0 }
  expect(readHeader(jsonl(header('a', { spawnedBy })), 'f').spawnedBy).toEqual(spawnedBy)
})

it('ignores values of other types', () => {
  const more = { cwd: 1, parentSession: null, seedLength: '3', root: 'x' }
  expect(readHeader(jsonl(header('a', more)), 'f')).toEqual({ id: 'a', createdAt: 0 })
})

it.each([
  ['', 'f: empty, expected a session header on line 1'],
  ['[]\n', 'f: line 1 is not a session header (expected "type":"session")'],
  ['{"type":"turn/start"}\n', 'f: line 1 is not a session header (expected "type":"session")'],
  ['{"type":"session","createdAt":0}', 'f: line 1: id: expected a non-empty string'],
  ['{"type":"session","id":"","createdAt":0}', 'f: line 1: id: expected a non-empty string'],
  ['{"type":"session","id":"a"}', 'f: line 1: createdAt: expected a number'],
])('refuses %j', (text, message) => {
  expect(() => readHeader(text, 'f')).toThrow(
    expect.objectContaining({ code: 'BAD_FIXTURE', message }),
  )
})

it('refuses what is no JSON', () => {
  expect(() => readHeader('nope\n{}', 'f')).toThrow('f: line 1 is not JSON')
})
