import { describe, expect, it } from 'vitest'
import { chunkProblem } from '../src/chunk.ts'

const index = 0
const call = { type: 'tool-call-delta', index, id: 'c', argumentsDelta: '' }

describe('chunkProblem', () => {
  it.each([
    { type: 'block-start', index, blockType: 'text' },
    { type: 'block-start', index: 7, blockType: 'reasoning' },
    { type: 'block-start', index, blockType: 'tool-call' },
    { type: 'text-delta', index, text: '' },
    { type: 'reasoning-delta', index, text: 'r' },
    call,
    { ...call, name: 'bash' },
    { type: 'block-end', index, block: { type: 'text', text: '' } },
    { type: 'block-end', index, block: { type: 'reasoning', text: '' } },
    { type: 'block-end', index, block: { type: 'tool-call', id: '', name: '', arguments: '' } },
    { type: 'usage', usage: { inputTokens: 0, outputTokens: 0 } },
    ...['stop', 'tool-calls', 'max-tokens', 'aborted'].map((kind) => ({
      type: 'finish',
      reason: { kind },
    })),
    { type: 'finish', reason: { kind: 'error', message: 'm' } },
    { type: 'finish', reason: { kind: 'error', failure: {} }, replayState: 1 },
  ])('accepts %j', (chunk) => {
    expect(chunkProblem(chunk)).toBeUndefined()
  })

  it.each([
    ['text', 'a chunk must be an object, not "text"'],
    [undefined, 'a chunk must be an object, not undefined'],
    [{}, 'unknown chunk type undefined'],
    [{ type: 'audio-delta' }, 'unknown chunk type "audio-delta"'],
    [
      { type: 'block-start', blockType: 'text' },
      '"index" must be an integer of 0 or more, not undefined',
    ],
    [{ type: 'block-start', index, blockType: 'image' }, 'unknown "blockType" "image"'],
    [
      { type: 'text-delta', index: -1, text: '' },
      '"index" must be an integer of 0 or more, not -1',
    ],
    [{ type: 'text-delta', index }, '"text" must be a string, not undefined'],
    [{ type: 'reasoning-delta', index, text: 1 }, '"text" must be a string, not 1'],
    [{ ...call, index: 0.5 }, '"index" must be an integer of 0 or more, not 0.5'],
    [{ ...call, id: 1 }, '"id" must be a string, not 1'],
    [{ ...call, name: null }, '"name" must be a string, not null'],
    [{ ...call, argumentsDelta: {} }, '"argumentsDelta" must be a string, not {}'],
    [{ type: 'block-end', index: '0' }, '"index" must be an integer of 0 or more, not "0"'],
    [{ type: 'block-end', index }, '"block" must be an object, not undefined'],
    [
      { type: 'block-end', index, block: { type: 'tool-result' } },
      'unknown block type "tool-result"',
    ],
    [
      { type: 'block-end', index, block: { type: 'text' } },
      '"text" must be a string, not undefined',
    ],
    [
      { type: 'block-end', index, block: { type: 'tool-call', name: '', arguments: '' } },
      '"id" must be a string, not undefined',
    ],
    [
      { type: 'block-end', index, block: { type: 'tool-call', id: '', arguments: '' } },
      '"name" must be a string, not undefined',
    ],
    [
      { type: 'block-end', index, block: { type: 'tool-call', id: '', name: '' } },
      '"arguments" must be a string, not undefined',
    ],
    [{ type: 'usage' }, '"usage" must be an object, not undefined'],
    [
      { type: 'usage', usage: { outputTokens: 1 } },
      '"inputTokens" must be a number, not undefined',
    ],
    [
      { type: 'usage', usage: { inputTokens: 1, outputTokens: '' } },
      '"outputTokens" must be a number, not ""',
    ],
    [{ type: 'finish' }, '"reason" must be an object, not undefined'],
    [{ type: 'finish', reason: { kind: 'done' } }, 'unknown finish kind "done"'],
  ])('says what is wrong with %j', (chunk, problem) => {
    expect(chunkProblem(chunk)).toBe(problem)
  })
})
