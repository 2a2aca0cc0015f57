import { RequestError } from '@agentclientprotocol/sdk'
import { describe, expect, it } from 'vitest'
import { promptContent } from '../src/content.ts'

describe('promptContent', () => {
  it('keeps text and turns links and embedded text into text', () => {
    expect(
      promptContent([
        { type: 'text', text: 'hello' },
        { type: 'resource_link', name: 'a.txt', uri: 'file:///a.txt' },
        { type: 'resource', resource: { uri: 'file:///b.txt', text: 'bee' } },
      ]),
    ).toEqual([
      { type: 'text', text: 'hello' },
      { type: 'text', text: '[a.txt](file:///a.txt)' },
      { type: 'text', text: '<resource uri="file:///b.txt">\nbee\n</resource>' },
    ])
  })

  it('refuses an empty prompt as invalid params', () => {
    const error = caught(() => promptContent([]))
    expect(error.code).toBe(-32602)
    expect(error.message).toBe('Invalid params: prompt is empty')
  })

  it('names the place of content that it cannot take', () => {
    const image = { type: 'image', data: '', mimeType: 'image/png' } as const
    const error = caught(() => promptContent([{ type: 'text', text: 'x' }, image]))
    expect(error.code).toBe(-32602)
    expect(error.message).toBe(
      'Invalid params: prompt[1]: image content is not supported; send text or a resource link',
    )
    const blob = { type: 'resource', resource: { uri: 'file:///c', blob: 'AA==' } } as const
    expect(caught(() => promptContent([blob])).message).toContain('prompt[0]: binary resource')
  })
})

function caught(run: () => unknown): RequestError {
  try {
    run()
  } catch (error) {
    if (error instanceof RequestError) return error
    throw error
  }
  throw new Error('expected a RequestError')
}
