import { describe, expect, it } from 'vitest'
import { pendingTools } from '../../src/verdict/pending-tools.ts'

const log = (events: readonly object[], header: object = {}): string =>
  [{ type: 'session', ...header }, ...events].map((event) => `${JSON.stringify(event)}\n`).join('')
const event = (type: string, data: object = {}): object => ({ type, data })
const turn = event('turn/start')
const call = (callId: string, name: string): object => event('tool/call', { callId, name })
const result = (callId: string): object => event('tool/result', { callId })
const update = (update: object): string =>
  JSON.stringify({ method: 'session/update', params: { update } })
const said = (toolCallId: string, title: string): string =>
  update({ sessionUpdate: 'tool_call', toolCallId, title, status: 'in_progress' })
const saidMore = (toolCallId: string, status: string): string =>
  update({ sessionUpdate: 'tool_call_update', toolCallId, status })
const ended = JSON.stringify({ id: 3, result: { stopReason: 'end_turn' } })

const none = { logs: [], stdout: [] }

describe('tools that a run waited for', () => {
  it('are the calls of the logs that have no result, a parent before its child', () => {
    const logs = [
      { name: 'p.jsonl', text: log([turn, call('a', 'read'), call('b', 'subagent'), result('a')]) },
      { name: 'c.jsonl', text: log([turn, call('c', 'bash')]) },
    ]
    expect(pendingTools({ ...none, logs }, [])).toEqual([
      { tool: 'subagent', file: 'p.jsonl', line: 4 },
      { tool: 'bash', file: 'c.jsonl', line: 3 },
    ])
  })

  it('are not those of an earlier turn', () => {
    const text = log([turn, call('a', 'read'), turn, call('b', 'bash'), result('b')])
    expect(pendingTools({ ...none, logs: [{ name: 'p', text }] }, [])).toEqual([])
  })

  it("are not the parent's in the log of a child that took its history over", () => {
    const text = log([turn, call('a', 'fork'), call('b', 'bash')], { seedLength: 2 })
    expect(pendingTools({ ...none, logs: [{ name: 'c', text }] }, [])).toEqual([
      { tool: 'bash', file: 'c', line: 4 },
    ])
  })

  it('are those of stdout where a crash was faster than the log, by the name that a recording has', () => {
    const stdout = ['{"id":1,"result":null}', said('a', 'Print'), said('b', 'Look')]
    const recorded = [{ name: 'session.jsonl', text: log([call('a', 'bash')]) }]
    expect(pendingTools({ ...none, stdout }, recorded)).toEqual([
      { tool: 'bash', file: 'stdout.expected.jsonl', line: 2 },
      { tool: 'Look', file: 'stdout.expected.jsonl', line: 3 },
    ])
  })

  it('are told once, by the log', () => {
    const logs = [
      { name: 'p', text: log([turn, call('a', 'bash'), call('b', 'read'), result('b')]) },
    ]
    const stdout = [said('a', 'Print'), said('b', 'Look')]
    expect(pendingTools({ logs, stdout }, [])).toEqual([{ tool: 'bash', file: 'p', line: 3 }])
  })

  it.each(['completed', 'failed'])('are not those of stdout that are %s', (status) => {
    const stdout = [said('a', 'Print'), saidMore('a', 'in_progress'), saidMore('a', status)]
    expect(pendingTools({ ...none, stdout }, [])).toEqual([])
    expect(pendingTools({ ...none, stdout: stdout.slice(0, 2) }, [])).toHaveLength(1)
  })

  it('are not those of stdout whose prompt was answered', () => {
    expect(pendingTools({ ...none, stdout: [said('a', 'Print'), ended] }, [])).toEqual([])
    const stdout = [ended, said('a', 'Print'), '{"id":4,"result":{}}']
    expect(pendingTools({ ...none, stdout }, [])).toHaveLength(1)
  })
})
