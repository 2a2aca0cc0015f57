import { type PromptResponse, RequestError } from '@agentclientprotocol/sdk'
import type { TurnEndReason } from 'dsh-session'

/**
 * What a client hears of a turn's end.
 * @throws RequestError for a turn that failed.
 */
export function promptResponse(reason: TurnEndReason): PromptResponse {
  switch (reason.kind) {
    case 'completed':
      return { stopReason: 'end_turn' }
    case 'max-tokens':
      return { stopReason: 'max_tokens' }
    case 'rejected':
      return { stopReason: 'refusal' }
    case 'aborted':
    case 'disposed':
    case 'interrupted':
      return { stopReason: 'cancelled' }
    case 'error':
      throw RequestError.internalError(undefined, `turn failed: ${reason.message}`)
  }
}
