import type { StreamChunk } from 'dsh-llm'
import { describe, expect, test } from 'vitest'
import { readCorpus, type RecordedLog } from '../../../../scripts/lib/corpus.ts'
import { Translator } from '../src/translate.ts'
import type { WireChunk } from '../src/wire.ts'

// Answers of the real endpoint, as another implementation of this adapter logged them. Their deltas
// are put back on the wire; what is made of them must be the logged chunks, byte for byte.

const corpus = readCorpus(process.env['DSH_CORPUS_DIR'])

/** Logs that people wrote have tokens for their ids and folders, and no time. */
function isOfAnEndpoint({ text, form }: RecordedLog): boolean {
  const header = text.slice(0, text.indexOf('\n'))
  const { createdAt } = JSON.parse(header) as { createdAt: number }
  return form === 'plain' && createdAt > 0 && !header.includes('{{')
}

/** The whole answers; those that failed came over the wire in another way. */
function answersOf({ text }: RecordedLog): StreamChunk[][] {
  const answers: StreamChunk[][] = [[]]
  for (const line of text.split('\n').filter(Boolean)) {
    const { type, data } = JSON.parse(line) as { type: string; data: { chunk: StreamChunk } }
    if (type !== 'assistant/chunk') continue
    answers.at(-1)!.push(data.chunk)
    if (data.chunk.type === 'finish') answers.push([])
  }
  return answers.filter((answer) => {
    const last = answer.at(-1)
    return last?.type === 'finish' && last.reason.kind in FINISH
  })
}

const FINISH: Readonly<Record<string, string>> = {
  stop: 'stop',
  'tool-calls': 'tool_calls',
  'max-tokens': 'length',
}

/** @param begun the tool calls that a delta has begun. */
function toWire(chunk: StreamChunk, begun: Set<number>): WireChunk {
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
      const first = !begun.has(index)
      begun.add(index)
      const fn = { ...(first && { name }), arguments: argumentsDelta }
      return wire({ tool_calls: [{ index, ...(first && { id }), function: fn }] })
    }
    case 'usage': {
      const { inputTokens, outputTokens, cacheReadTokens: cached, reasoningTokens } = chunk.usage
      return {
        choices: [],
        usage: {
          prompt_tokens: inputTokens + (cached ?? 0),
          completion_tokens: outputTokens,
          ...(cached !== undefined && { prompt_cache_hit_tokens: cached }),
          completion_tokens_details: { reasoning_tokens: reasoningTokens },
        },
      }
    }
    case 'finish':
      return wire({}, FINISH[chunk.reason.kind])
    case 'block-start':
    case 'block-end':
    default:
      return { choices: [] }
  }
}

describe.skipIf(corpus.why !== '')(`answers of an endpoint${corpus.why}`, () => {
  const logs = corpus.logs.filter(isOfAnEndpoint)

  test('are there', () => {
    expect(logs.flatMap(answersOf).length).toBeGreaterThan(0)
  })

  test.each(logs)('$name', (log) => {
    for (const answer of answersOf(log)) {
      const translator = new Translator((text) => text)
      const begun = new Set<number>()
      const made = answer.flatMap((chunk) => translator.push(toWire(chunk, begun)))
      expect(JSON.stringify([...made, ...translator.end()])).toBe(JSON.stringify(answer))
    }
  })
})
