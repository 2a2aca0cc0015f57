import type { JsonObject } from 'dsh-brand'
import { type ContentBlock, type GenerateOptions, LlmError, type Message } from 'dsh-llm'

interface WireToolCall {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
}
type WireMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | {
      readonly role: 'assistant'
      readonly content: string | null
      readonly reasoning_content?: string
      readonly tool_calls?: readonly WireToolCall[]
    }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string }

/** The body of `POST /chat/completions`. Key order is the order on the wire. */
export interface WireRequest {
  readonly model: string
  readonly messages: readonly WireMessage[]
  readonly stream: true
  readonly stream_options: { readonly include_usage: true }
  readonly tools?: readonly {
    readonly type: 'function'
    readonly function: {
      readonly name: string
      readonly description: string
      readonly parameters: JsonObject
    }
  }[]
  readonly temperature?: number
  readonly max_tokens?: number
  readonly stop?: readonly string[]
}

/**
 * A request as the wire wants it. What is not set is not sent.
 * @throws LlmError `INVALID_REQUEST` for a block that its message cannot hold.
 */
export function buildRequest(options: GenerateOptions): WireRequest {
  const { tools, temperature, maxTokens, stop } = options
  return {
    model: options.model,
    messages: [
      ...(options.system === undefined
        ? []
        : [{ role: 'system' as const, content: options.system }]),
      ...options.messages.flatMap(toWire),
    ],
    stream: true,
    stream_options: { include_usage: true },
    // Endpoints refuse empty lists.
    ...(tools !== undefined &&
      tools.length > 0 && {
        tools: tools.map(({ name, description, parameters }) => ({
          type: 'function' as const,
          function: { name, description, parameters },
        })),
      }),
    ...(temperature !== undefined && { temperature }),
    ...(maxTokens !== undefined && { max_tokens: maxTokens }),
    ...(stop !== undefined && stop.length > 0 && { stop }),
  }
}

function toWire(message: Message): WireMessage[] {
  if (message.role === 'user') return userToWire(message.content)
  if (message.role === 'assistant') return assistantToWire(message.content)
  return [{ role: 'system', content: joinTexts(message.content, 'a system message') }]
}

function userToWire(content: readonly ContentBlock[]): WireMessage[] {
  const results: WireMessage[] = []
  const rest: ContentBlock[] = []
  for (const block of content) {
    if (block.type !== 'tool-result') {
      rest.push(block)
      continue
    }
    const text = joinTexts(block.content, 'a tool result')
    results.push({
      role: 'tool',
      tool_call_id: block.toolCallId,
      content: text === '' ? '(no output)' : text,
    })
  }
  if (rest.length === 0 && results.length > 0) return results
  // Results first: the wire wants them right after the calls that they answer.
  return [...results, { role: 'user', content: joinTexts(rest, 'a user message') }]
}

function assistantToWire(content: readonly ContentBlock[]): WireMessage[] {
  let text = ''
  let reasoning = ''
  const calls: WireToolCall[] = []
  for (const block of content) {
    switch (block.type) {
      case 'text':
        text += block.text
        break
      case 'reasoning':
        reasoning += block.text
        break
      case 'tool-call':
        calls.push({
          id: block.id,
          type: 'function',
          // An empty text is no JSON, and some endpoints parse what they get back.
          function: { name: block.name, arguments: block.arguments || '{}' },
        })
        break
      case 'tool-result':
        throw misplaced(block, 'an assistant message')
    }
  }
  if (calls.length > 0) {
    return [
      {
        role: 'assistant',
        content: text === '' ? null : text,
        // Thinking models want their reasoning back while they use tools, and only then.
        ...(reasoning !== '' && { reasoning_content: reasoning }),
        tool_calls: calls,
      },
    ]
  }
  // A message of reasoning alone has nothing that may be sent, and endpoints refuse empty ones.
  return text === '' ? [] : [{ role: 'assistant', content: text }]
}

/** Blocks of input are separate texts, so a line break keeps them apart. */
function joinTexts(content: readonly ContentBlock[], where: string): string {
  return content
    .map((block) => {
      if (block.type !== 'text') throw misplaced(block, where)
      return block.text
    })
    .join('\n')
}

function misplaced(block: ContentBlock, where: string): LlmError {
  return new LlmError(
    'INVALID_REQUEST',
    `a ${block.type} block cannot be sent in ${where}; check what made the request`,
  )
}
