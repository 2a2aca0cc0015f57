import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brandString } from 'dsh-brand'
import type { StreamChunk } from 'dsh-llm'
import type { SessionEvent, SessionHeader } from 'dsh-session'
import { afterAll } from 'vitest'
import type { ReportRecord } from '../../src/index.ts'

/** The chunks of a short text answer. */
export function answer(text: string): StreamChunk[] {
  return [
    { type: 'block-start', index: 0, blockType: 'text' },
    { type: 'text-delta', index: 0, text },
    { type: 'block-end', index: 0, block: { type: 'text', text } },
    { type: 'usage', usage: { inputTokens: 1, outputTokens: 2 } },
    { type: 'finish', reason: { kind: 'stop' } },
  ]
}

/** The text of an answer made by `answer`. */
export function textOf(chunks: readonly StreamChunk[]): string {
  return chunks.map((chunk) => (chunk.type === 'text-delta' ? chunk.text : '')).join('')
}

export function header(fields: Partial<SessionHeader> = {}): SessionHeader {
  return {
    type: 'session',
    version: 0,
    id: brandString<'SessionId'>('primary'),
    createdAt: 0,
    cwd: '/rec/cwd',
    ...fields,
  }
}

/** The id of a session. */
export const sid = brandString<'SessionId'>

export function event(seq: number, type: string, data: unknown, extras: object = {}): SessionEvent {
  return { type, seq, time: 0, data, ...extras }
}

export interface Call {
  readonly turn?: number
  readonly step?: number
  readonly chunks: readonly StreamChunk[]
}

/** The events of model calls, in order, numbered from `first`. */
export function events(calls: readonly Call[], first = 0): SessionEvent[] {
  return calls
    .flatMap(({ turn = 1, step = 1, chunks }) => chunks.map((chunk) => ({ turn, step, chunk })))
    .map((data, at) => event(first + at, 'assistant/chunk', data))
}

/** Answers in consecutive steps of turn 1. */
export function steps(...texts: string[]): Call[] {
  return texts.map((text, at) => ({ step: at + 1, chunks: answer(text) }))
}

export function logText(head: object, lines: readonly object[]): string {
  return [head, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('')
}

/** A folder that is removed when the test file is done. */
export function tempFolder(): {
  path(name: string): string
  write(name: string, text: string | Uint8Array): string
} {
  const root = mkdtempSync(join(tmpdir(), 'dsh-llm-replay-'))
  afterAll(() => rmSync(root, { recursive: true, force: true }))
  const path = (name: string): string => join(root, name)
  return {
    path,
    write(name, text) {
      writeFileSync(path(name), text)
      return path(name)
    },
  }
}

export function readReport(file: string): ReportRecord[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  if (lines.pop() !== '') throw new Error('the report does not end in a newline')
  return lines.map((line) => JSON.parse(line) as ReportRecord)
}
