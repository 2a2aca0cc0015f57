import { fileURLToPath } from 'node:url'
import type { AgentCommand } from '../../src/run/types.ts'
import { header, jsonl, tempTree } from '../temp.ts'

export const AGENT = fileURLToPath(new URL('../agents/replays.mjs', import.meta.url))

export function agent(env: Readonly<Record<string, string>> = {}): AgentCommand {
  return { command: [process.execPath, AGENT], env }
}

const turn = { turn: 1, step: 1 }
const chunk = (value: unknown) => ({ type: 'assistant/chunk', data: { ...turn, chunk: value } })
const events = [
  { type: 'turn/start', data: { turn: 1 } },
  {
    type: 'user/message',
    data: { content: [{ type: 'text', text: 'ready?' }], source: { kind: 'user' } },
    surfaceOp: 'append',
  },
  { type: 'step/start', data: turn },
  chunk({ type: 'text-delta', index: 0, text: 'READY' }),
  chunk({ type: 'finish', reason: { kind: 'stop' } }),
  {
    type: 'assistant/message',
    data: { ...turn, content: [{ type: 'text', text: 'READY' }] },
    surfaceOp: 'append',
  },
  { type: 'step/end', data: turn },
  { type: 'turn/end', data: { turn: 1, reason: { kind: 'completed' } } },
].map(({ type, ...rest }, seq) => ({ type, seq, time: 0, ...rest }))

export const LOG = jsonl(header('{{session}}', { cwd: '{{cwd}}' }), ...events)
export const INPUT = JSON.stringify({
  steps: [{ op: 'initialize' }, { op: 'newSession' }, { op: 'prompt', text: 'ready?' }],
})
export const STDOUT = jsonl(
  {
    jsonrpc: '2.0',
    id: 1,
    result: { protocolVersion: 1, agentCapabilities: { loadSession: true } },
  },
  { jsonrpc: '2.0', id: 2, result: { sessionId: '{{session}}' } },
  {
    jsonrpc: '2.0',
    method: 'session/update',
    params: {
      sessionId: '{{session}}',
      update: {
        sessionUpdate: 'agent_message_chunk',
        content: { type: 'text', text: 'READY' },
      },
    },
  },
  { jsonrpc: '2.0', id: 3, result: { stopReason: 'end_turn' } },
)

export const GREEN: Readonly<Record<string, string>> = {
  'input.json': INPUT,
  'session.jsonl': LOG,
  'stdout.expected.jsonl': STDOUT,
}

/** Scenario folders by name, in a folder for one test. */
export function scenarios(
  folders: Readonly<Record<string, Readonly<Record<string, string>>>>,
): string {
  const files: Record<string, string> = {}
  for (const [name, contents] of Object.entries(folders)) {
    for (const [file, text] of Object.entries(contents)) files[`${name}/${file}`] = text
  }
  return tempTree(files)
}
