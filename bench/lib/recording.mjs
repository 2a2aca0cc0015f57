/** A log's text: a header, then the chunks of calls in consecutive steps. */
export function recording(header, calls) {
  let seq = 0
  const events = calls.flatMap((chunks, call) =>
    chunks.map((chunk) => ({
      type: 'assistant/chunk',
      seq: seq++,
      time: 1783352166000 + seq,
      data: { turn: 1, step: call + 1, chunk },
    })),
  )
  const head = { type: 'session', version: 0, createdAt: 0, ...header }
  return [head, ...events].map((line) => `${JSON.stringify(line)}\n`).join('')
}

/** The chunks of a text answer in that many deltas. */
export function answer(deltas, word = (at) => ` word${at % 97}`) {
  const texts = Array.from({ length: deltas }, (_, at) => word(at))
  return [
    { type: 'block-start', index: 0, blockType: 'text' },
    ...texts.map((text) => ({ type: 'text-delta', index: 0, text })),
    { type: 'block-end', index: 0, block: { type: 'text', text: texts.join('') } },
    { type: 'usage', usage: { inputTokens: 1, outputTokens: deltas } },
    { type: 'finish', reason: { kind: 'stop' } },
  ]
}
