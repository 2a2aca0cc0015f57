import type { RequestPermissionRequest, RequestPermissionResponse } from '@agentclientprotocol/sdk'

/** Answers permission requests from a list of option kinds, first in, first out. */
export class PermissionAnswers {
  private readonly waiting: string[]
  private readonly failed: (message: string) => void

  /** `failed` is told of each request that the list has no answer for. */
  constructor(kinds: readonly string[], failed: (message: string) => void) {
    this.waiting = [...kinds]
    this.failed = failed
  }

  /** Kinds that nothing has asked for. */
  get left(): readonly string[] {
    return this.waiting
  }

  /** A request without an answer is answered as cancelled, so that the agent is not kept waiting. */
  answer(request: RequestPermissionRequest): RequestPermissionResponse {
    const kind = this.waiting.shift()
    const option = request.options.find((each) => each.kind === kind)
    if (option !== undefined) {
      return { outcome: { outcome: 'selected', optionId: option.optionId } }
    }
    const offered = request.options.map((each) => each.kind).join(', ')
    const asked = `the agent asked for permission (${request.toolCall.toolCallId})`
    this.failed(
      kind === undefined
        ? `${asked}, but permissionAnswers has no answer left; offered: ${offered}`
        : `${asked}, but the next of permissionAnswers is ${kind}; offered: ${offered}`,
    )
    return { outcome: { outcome: 'cancelled' } }
  }
}
