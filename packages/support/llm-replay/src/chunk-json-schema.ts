const text = { type: 'string' }
const index = {
  type: 'integer',
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Which block of the answer it belongs to, from 0.',
}
const blockType = { enum: ['text', 'reasoning', 'tool-call'] }

function shape(
  type: string,
  description: string,
  properties: Readonly<Record<string, object>>,
  optional: readonly string[] = [],
): object {
  const required = ['type', ...Object.keys(properties).filter((key) => !optional.includes(key))]
  return {
    type: 'object',
    description,
    properties: { type: { const: type }, ...properties },
    required,
  }
}

/** The same as `chunkProblem` checks, for editors: keys that nobody knows are fine. */
export const chunkJsonSchema: object = {
  oneOf: [
    shape('block-start', 'A block begins.', { index, blockType }),
    shape('text-delta', 'More of a text block.', { index, text }),
    shape('reasoning-delta', 'More of a reasoning block.', { index, text }),
    shape(
      'tool-call-delta',
      "More of a tool call's arguments, which are JSON text.",
      { index, id: text, name: text, argumentsDelta: text },
      ['name'],
    ),
    shape('block-end', 'A block ends; here it is whole.', {
      index,
      block: {
        oneOf: [
          shape('text', 'What the model says.', { text }),
          shape('reasoning', 'What it thinks.', { text }),
          shape('tool-call', 'A call of a tool; `arguments` is JSON text.', {
            id: text,
            name: text,
            arguments: text,
          }),
        ],
      },
    }),
    shape('usage', 'Token counts, before `finish`.', {
      usage: {
        type: 'object',
        properties: { inputTokens: { type: 'number' }, outputTokens: { type: 'number' } },
        required: ['inputTokens', 'outputTokens'],
      },
    }),
    shape('finish', 'The answer ends.', {
      reason: {
        type: 'object',
        properties: { kind: { enum: ['stop', 'tool-calls', 'max-tokens', 'aborted', 'error'] } },
        required: ['kind'],
      },
    }),
  ],
}
