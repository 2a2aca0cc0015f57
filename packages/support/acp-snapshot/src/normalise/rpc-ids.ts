import { type Fields, isFields } from '../log/lines.ts'

/**
 * Renumbers JSON-RPC ids from 1 by first sight. The ids of the agent's own requests and the
 * client's ids in answers are two worlds that may use the same numbers, so each counts apart.
 */
export class RpcIds {
  private readonly own = new Map<string, number>()
  private readonly answered = new Map<string, number>()

  renumber(message: Fields): Fields {
    let out = message
    if (isId(message['id'])) {
      const world = 'method' in message ? this.own : this.answered
      out = { ...message, id: numberOf(world, message['id']) }
    }
    const { params } = message
    if (message['method'] === '$/cancel_request' && isFields(params) && isId(params['requestId'])) {
      return { ...out, params: { ...params, requestId: numberOf(this.own, params['requestId']) } }
    }
    return out
  }
}

function isId(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}

function numberOf(world: Map<string, number>, id: string | number): number {
  const key = JSON.stringify(id)
  const number = world.get(key) ?? world.size + 1
  world.set(key, number)
  return number
}
