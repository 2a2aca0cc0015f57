import { resolve } from 'node:path'
import type { SessionUpdate, ToolCallContent } from '@agentclientprotocol/sdk'
import type { ContentBlock, StreamChunk } from 'dsh-llm'
import type { CoreEvents, SessionEvent } from 'dsh-session'
import type { ToolDisplay, ToolKind } from 'dsh-tools'

/** What the translation asks about a tool; a tool that is gone or unknown is shown by its name. */
export interface ToolLook {
  readonly kind: ToolKind
  readonly display: ToolDisplay
}

/** Translates the events of one session into protocol updates. */
export class UpdateTranslator {
  private readonly cwd: string
  private readonly look: (name: string, args: unknown) => ToolLook
  /** How often a call id was seen, since providers repeat ids and clients key by them. */
  private readonly seen = new Map<string, number>()
  /** The id under which a call was announced, by the `seq` of its event. */
  private readonly announced = new Map<number, string>()

  constructor(cwd: string, look: (name: string, args: unknown) => ToolLook) {
    this.cwd = cwd
    this.look = look
  }

  /** The update for an event as it happens; undefined for events that clients do not see. */
  live(event: SessionEvent): SessionUpdate | undefined {
    switch (event.type) {
      case 'assistant/chunk':
        return chunkUpdate((event.data as CoreEvents['assistant/chunk']).chunk)
      case 'tool/call':
        return this.toolCall(event.seq, event.data as CoreEvents['tool/call'])
      case 'tool/result':
        return this.toolResult(event, event.data as CoreEvents['tool/result'])
      case 'todo/write':
        return planUpdate(event.data as CoreEvents['todo/write'])
      default:
        return undefined
    }
  }

  /** The updates that tell a client what a stored event was: whole messages instead of chunks. */
  stored(event: SessionEvent): SessionUpdate[] {
    switch (event.type) {
      case 'assistant/chunk':
        return []
      case 'user/message':
        return blockUpdates(
          (event.data as CoreEvents['user/message']).content,
          'user_message_chunk',
        )
      case 'assistant/message':
        return blockUpdates(
          (event.data as CoreEvents['assistant/message']).content,
          'agent_message_chunk',
        )
      default: {
        const update = this.live(event)
        return update === undefined ? [] : [update]
      }
    }
  }

  private toolCall(seq: number, data: CoreEvents['tool/call']): SessionUpdate {
    const times = (this.seen.get(data.callId) ?? 0) + 1
    this.seen.set(data.callId, times)
    const toolCallId = times === 1 ? data.callId : `${data.callId}#${times}`
    this.announced.set(seq, toolCallId)
    const rawInput = parseArguments(data.arguments)
    const { kind, display } = this.look(data.name, rawInput)
    return {
      sessionUpdate: 'tool_call',
      toolCallId,
      title: display.title,
      kind,
      status: 'in_progress',
      rawInput,
      locations: (display.paths ?? []).map((path) => ({ path: resolve(this.cwd, path) })),
    }
  }

  private toolResult(event: SessionEvent, data: CoreEvents['tool/result']): SessionUpdate {
    const [callSeq] = event.sourceEventSeqs ?? []
    const announced = callSeq === undefined ? undefined : this.announced.get(callSeq)
    if (callSeq !== undefined) this.announced.delete(callSeq)
    return {
      sessionUpdate: 'tool_call_update',
      toolCallId: announced ?? data.callId,
      status: data.isError ? 'failed' : 'completed',
      content: this.resultContent(data),
    }
  }

  private resultContent({ content, meta }: CoreEvents['tool/result']): ToolCallContent[] {
    const diffs = diffsOf(meta)
    if (diffs.length > 0) {
      return diffs.map(({ path, oldText, newText }) => ({
        type: 'diff',
        path: resolve(this.cwd, path),
        oldText,
        newText,
      }))
    }
    return content.flatMap((block) =>
      block.type === 'text'
        ? [{ type: 'content' as const, content: { type: 'text' as const, text: block.text } }]
        : [],
    )
  }
}

function chunkUpdate(chunk: StreamChunk): SessionUpdate | undefined {
  if (chunk.type === 'text-delta') return textUpdate('agent_message_chunk', chunk.text)
  if (chunk.type === 'reasoning-delta') return textUpdate('agent_thought_chunk', chunk.text)
  return undefined
}

type TextUpdateKind = 'agent_message_chunk' | 'agent_thought_chunk' | 'user_message_chunk'

function textUpdate(sessionUpdate: TextUpdateKind, text: string): SessionUpdate {
  return { sessionUpdate, content: { type: 'text', text } }
}

function blockUpdates(content: readonly ContentBlock[], textKind: TextUpdateKind): SessionUpdate[] {
  return content.flatMap((block) => {
    if (block.type === 'text') return [textUpdate(textKind, block.text)]
    if (block.type === 'reasoning') return [textUpdate('agent_thought_chunk', block.text)]
    return []
  })
}

function planUpdate({ todos }: CoreEvents['todo/write']): SessionUpdate {
  const entries = todos.map(({ content, status }) => ({
    content,
    status,
    priority: 'medium' as const,
  }))
  return { sessionUpdate: 'plan', entries }
}

/** Arguments that do not parse are shown as the model wrote them. */
function parseArguments(text: string): unknown {
  if (text === '') return {}
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

interface FileDiff {
  readonly path: string
  readonly oldText: string | null
  readonly newText: string
}

/** Reads `meta.diffs`; whatever does not look like one is left out, since tools own their `meta`. */
function diffsOf(meta: CoreEvents['tool/result']['meta']): FileDiff[] {
  const diffs: unknown = meta?.['diffs']
  if (!Array.isArray(diffs)) return []
  return diffs.filter(
    (diff: Partial<Record<keyof FileDiff, unknown>> | null): diff is FileDiff =>
      typeof diff?.path === 'string' &&
      (diff.oldText === null || typeof diff.oldText === 'string') &&
      typeof diff.newText === 'string',
  )
}
