import { type ContentBlock as AcpContent, RequestError } from '@agentclientprotocol/sdk'
import type { TextBlock } from 'dsh-llm'

/**
 * A prompt as the session logs it. Links and embedded text become text.
 * @throws RequestError invalid params for what `initialize` did not promise to take.
 */
export function promptContent(prompt: readonly AcpContent[]): TextBlock[] {
  if (prompt.length === 0) throw RequestError.invalidParams(undefined, 'prompt is empty')
  return prompt.map((block, index) => ({ type: 'text', text: textOf(block, index) }))
}

function textOf(block: AcpContent, index: number): string {
  switch (block.type) {
    case 'text':
      return block.text
    case 'resource_link':
      return `[${block.name}](${block.uri})`
    case 'resource': {
      const { resource } = block
      if ('text' in resource)
        return `<resource uri="${resource.uri}">\n${resource.text}\n</resource>`
      throw unsupported('binary resource', index)
    }
    default:
      throw unsupported(block.type, index)
  }
}

function unsupported(what: string, index: number): RequestError {
  const message = `prompt[${index}]: ${what} content is not supported; send text or a resource link`
  return RequestError.invalidParams(undefined, message)
}
