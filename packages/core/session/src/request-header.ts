import type { ToolSchema } from 'dsh-llm'
import { SessionError } from './error.ts'
import type { RequestHeader, RequestHeaderDelta } from './types.ts'

/**
 * What changed between two headers; empty when nothing did. Some changes cannot be said (a system
 * prompt, tool list or prefix that goes away; tools that change places), so a writer applies the
 * delta and compares before it logs it.
 */
export function diffRequestHeader(prev: RequestHeader, next: RequestHeader): RequestHeaderDelta {
  const delta: { -readonly [K in keyof RequestHeaderDelta]: RequestHeaderDelta[K] } = {}
  if (next.system !== undefined && next.system !== prev.system) {
    delta.system = diffLines(linesOf(prev.system), linesOf(next.system))
  }
  if (next.tools !== undefined && !same(prev.tools, next.tools)) {
    delta.tools = diffTools(prev.tools ?? [], next.tools)
  }
  if (!same(prev.config, next.config)) delta.config = next.config
  if (next.messagePrefix !== undefined && !same(prev.messagePrefix, next.messagePrefix)) {
    delta.messagePrefix = next.messagePrefix
  }
  return delta
}

/**
 * The header that follows. Added tools go before the first tool of a greater name, which keeps a
 * lexicographic list lexicographic.
 * @throws SessionError `INVALID_EVENT` when the delta keeps more lines than there are.
 */
export function applyRequestHeaderDelta(
  prev: RequestHeader,
  delta: RequestHeaderDelta,
): RequestHeader {
  const system = delta.system === undefined ? prev.system : applyLines(prev.system, delta.system)
  const tools = delta.tools === undefined ? prev.tools : applyTools(prev.tools ?? [], delta.tools)
  const messagePrefix = delta.messagePrefix ?? prev.messagePrefix
  return {
    config: delta.config ?? prev.config,
    ...(system === undefined ? {} : { system }),
    ...(tools === undefined ? {} : { tools }),
    ...(messagePrefix === undefined ? {} : { messagePrefix }),
  }
}

type SystemDelta = NonNullable<RequestHeaderDelta['system']>
type ToolsDelta = NonNullable<RequestHeaderDelta['tools']>

function linesOf(text: string | undefined): readonly string[] {
  return text === undefined ? [] : text.split('\n')
}

function diffLines(prev: readonly string[], next: readonly string[]): SystemDelta {
  const limit = Math.min(prev.length, next.length)
  let keepStart = 0
  while (keepStart < limit && prev[keepStart] === next[keepStart]) keepStart++
  let keepEnd = 0
  while (keepEnd < limit - keepStart && prev.at(-1 - keepEnd) === next.at(-1 - keepEnd)) keepEnd++
  return { keepStart, keepEnd, insert: next.slice(keepStart, next.length - keepEnd) }
}

function applyLines(prev: string | undefined, delta: SystemDelta): string {
  const lines = linesOf(prev)
  const { keepStart, keepEnd, insert } = delta
  if (keepStart + keepEnd > lines.length) {
    throw new SessionError(
      'INVALID_EVENT',
      `a request/header-delta keeps ${keepStart} + ${keepEnd} lines of a system prompt of ${lines.length}`,
    )
  }
  const tail = lines.slice(lines.length - keepEnd)
  return [...lines.slice(0, keepStart), ...insert, ...tail].join('\n')
}

function diffTools(prev: readonly ToolSchema[], next: readonly ToolSchema[]): ToolsDelta {
  const before = new Map(prev.map((tool) => [tool.name, tool]))
  const after = new Set(next.map((tool) => tool.name))
  return {
    added: next.filter((tool) => !before.has(tool.name)),
    removed: prev.filter((tool) => !after.has(tool.name)).map((tool) => tool.name),
    changed: next.filter((tool) => {
      const old = before.get(tool.name)
      return old !== undefined && !same(old, tool)
    }),
  }
}

function applyTools(prev: readonly ToolSchema[], delta: ToolsDelta): readonly ToolSchema[] {
  const removed = new Set(delta.removed)
  const changed = new Map(delta.changed.map((tool) => [tool.name, tool]))
  const tools = prev
    .filter((tool) => !removed.has(tool.name))
    .map((tool) => changed.get(tool.name) ?? tool)
  for (const tool of delta.added) {
    const index = tools.findIndex((other) => other.name > tool.name)
    tools.splice(index < 0 ? tools.length : index, 0, tool)
  }
  return tools
}

/** Equal as text: key order is part of what a log holds. */
function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
