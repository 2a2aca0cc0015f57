import type { RequestPermissionRequest } from '@agentclientprotocol/sdk'
import { describe, expect, test } from 'vitest'
import { AcpClient } from '../../src/run/acp-client.ts'
import { PermissionAnswers } from '../../src/run/permissions.ts'
import { UpdateCounter } from '../../src/run/update-counter.ts'

const request: RequestPermissionRequest = {
  sessionId: 's',
  toolCall: { toolCallId: 'call-1' },
  options: [
    { optionId: 'a', name: 'A', kind: 'allow_once' },
    { optionId: 'b', name: 'B', kind: 'reject_once' },
  ],
}

describe('PermissionAnswers', () => {
  test('takes the option of the next kind', () => {
    const failed: string[] = []
    const answers = new PermissionAnswers(
      ['reject_once', 'allow_once', 'allow_always'],
      (message) => failed.push(message),
    )
    expect(answers.answer(request)).toEqual({ outcome: { outcome: 'selected', optionId: 'b' } })
    expect(answers.answer(request)).toEqual({ outcome: { outcome: 'selected', optionId: 'a' } })
    expect(answers.left).toEqual(['allow_always'])
    expect(failed).toEqual([])
    expect(answers.answer(request)).toEqual({ outcome: { outcome: 'cancelled' } })
    expect(answers.answer(request)).toEqual({ outcome: { outcome: 'cancelled' } })
    expect(failed).toEqual([
      'the agent asked for permission (call-1), but the next of permissionAnswers is allow_always; offered: allow_once, reject_once',
      'the agent asked for permission (call-1), but permissionAnswers has no answer left; offered: allow_once, reject_once',
    ])
  })
})

describe('UpdateCounter', () => {
  const update = (sessionId: string, sessionUpdate: string) => ({
    jsonrpc: '2.0' as const,
    method: 'session/update',
    params: { sessionId, update: { sessionUpdate } },
  })

  test('counts from when the wait began, by session and kind', async () => {
    const counter = new UpdateCounter()
    const reached: string[] = []
    counter.see(update('s', 'plan'))
    const first = counter.wait('s', 'plan', 1).then(() => reached.push('first'))
    const second = counter.wait('s', 'plan', 2).then(() => reached.push('second'))
    counter.see(update('t', 'plan'))
    counter.see(update('s', 'other'))
    counter.see({ jsonrpc: '2.0', method: 'session/update' })
    counter.see({ jsonrpc: '2.0', method: 'session/update', params: { sessionId: 's' } })
    counter.see({ ...update('s', 'plan'), method: 'session/else' })
    counter.see({ jsonrpc: '2.0', id: 1, result: {} })
    await Promise.resolve()
    expect(reached).toEqual([])
    counter.see(update('s', 'plan'))
    await first
    expect(reached).toEqual(['first'])
    counter.see(update('s', 'plan'))
    await second
    expect(reached).toEqual(['first', 'second'])
  })
})

test('a closed connection rejects what it waits for, and takes what comes late', async () => {
  const sent: string[] = []
  const client = new AcpClient((line) => sent.push(line), new PermissionAnswers([], () => {}))
  const answer = client.agent.request('session/prompt', { sessionId: 's', prompt: [] })
  client.close()
  await expect(answer).rejects.toThrow('closed')
  expect(() => client.deliver({ jsonrpc: '2.0', method: 'x' })).not.toThrow()
})
