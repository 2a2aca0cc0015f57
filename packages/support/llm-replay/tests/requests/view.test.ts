import type { GenerateOptions } from 'dsh-llm'
import { expect, it } from 'vitest'
import { viewOf } from '../../src/requests/view.ts'
import { sid } from '../helpers/log.ts'

const messages = [{ role: 'user', content: [] }] as const

it('is all that the model is told, and nothing else', () => {
  const request = {
    stop: ['x'],
    sessionId: sid('s'),
    purpose: 'turn',
    signal: new AbortController().signal,
    topP: 1,
    model: 'm',
    system: 'sys',
    tools: [],
    messages,
  } as GenerateOptions
  const view = viewOf(request)
  expect(view).toEqual({
    config: { model: 'm', stop: ['x'], topP: 1 },
    system: 'sys',
    tools: [],
    messages,
  })
  expect(Object.keys(view.config)).toEqual(['model', 'temperature', 'maxTokens', 'stop', 'topP'])
})

it('has what a log has where a request says nothing', () => {
  expect(viewOf({ model: 'm', messages })).toEqual({
    config: { model: 'm' },
    system: '',
    tools: [],
    messages,
  })
})
