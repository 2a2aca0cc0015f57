import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StreamChunk } from 'dsh-llm'
import { describe, expect, test } from 'vitest'
import { Translator } from '../src/translate.ts'
import type { WireChunk } from '../src/wire.ts'

// Answers of the real endpoint, as another implementation of this adapter logged them. Their deltas
// are put back on the wire; what is made of them must be the logged chunks, byte for byte.

const corpus = process.env['DSH_CORPUS_DIR']

function logsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /session(\.\d+)?\.jsonl$/.test(file))
    .map((file) => join(folder, file))
    .sort()
}

function answersOf(file: string): StreamChunk[][] {
  const answers: StreamChunk[][] = [[]]
  for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
    const { type, data } = JSON.parse(line) as { type: string; data: { chunk: StreamChunk } }
    if (type !== 'assistant/chunk') continue
    answers.at(-1)!.push(data.chunk)
    if (data.chunk.type === 'finish') answers.push([])
  }
  return answers.filter((answer) => answer.at(-1)?.type === 'finish')
}

function toWire(chunk: StreamChunk): WireChunk {
  const wire = (delta: object, finish_reason: string | null = null) => ({
    choices: [{ index: 0, delta, finish_reason }],
  })
  switch (chunk.type) {
    case 'text-delta':
      return wire({ content: chunk.text })
    case 'reasoning-delta':
      return wire({ reasoning_content: chunk.text })
    case 'tool-call-delta': {
      const { index, id, name, argumentsDelta } = chunk
      const first = argumentsDelta === ''
      const fn = { ...(first && { name }), arguments: argumentsDelta }
      return wire({ tool_calls: [{ index, ...(first && { id }), function: fn }] })
    }
    case 'usage': {
      const { inputTokens, outputTokens, cacheReadTokens = 0, reasoningTokens } = chunk.usage
      return {
        choices: [],
        usage: {
          prompt_tokens: inputTokens + cacheReadTokens,
          completion_tokens: outputTokens,
          prompt_cache_hit_tokens: cacheReadTokens,
          completion_tokens_details: { reasoning_tokens: reasoningTokens },
        },
      }
    }
    case 'finish':
      return wire({}, chunk.reason.kind === 'tool-calls' ? 'tool_calls' : chunk.reason.kind)
    case 'block-start':
    case 'block-end':
    default:
      return { choices: [] }
  }
}

describe.skipIf(!corpus)(`answers of the corpus (skipped without $DSH_CORPUS_DIR)`, () => {
  const files = corpus ? logsIn(join(corpus, 'dsh-2026-07')) : []

  test('there are some', () => {
    expect(files.flatMap(answersOf).length).toBeGreaterThan(20)
  })

  test.each(files)('%s', (file) => {
    for (const answer of answersOf(file)) {
      const translator = new Translator((text) => text)
      const made = answer.flatMap((chunk) => translator.push(toWire(chunk)))
      expect(JSON.stringify([...made, ...translator.end()])).toBe(JSON.stringify(answer))
    }
  })
})
