import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { delay, systemClock } from 'dsh-brand'
import { checkWireScript } from '../script/load.ts'
import { prepareRules } from '../script/prepare.ts'
import type { ServedOutcome, WireModel, WireModelOptions, WireReport } from '../types.ts'
import { type Desk, exchange } from './exchange.ts'
import { Ledger } from './ledger.ts'
import { Pauses } from './pauses.ts'

/** The header that carries the lineage of a caller unless another is configured. */
export const DEFAULT_SESSION_HEADER = 'x-dsh-lineage'

const MAX_BODY_BYTES = 8 * 1024 * 1024
const MAX_REQUESTS = 1000
const CLOSE_MS = 2000

/**
 * Starts a model on a port of its own on 127.0.0.1.
 * @throws WireError `BAD_SCRIPT`, before anything listens.
 */
export async function startWireModel(options: WireModelOptions): Promise<WireModel> {
  const source = options.source ?? 'wire script'
  const rules = prepareRules(checkWireScript(options.script, source), options.cwd, source)
  const clock = options.clock ?? systemClock
  const ledger = new Ledger(rules, source, options.limits?.maxRequests ?? MAX_REQUESTS)
  const names = rules.flatMap(({ answer }) =>
    answer.kind === 'stream' && answer.pause !== undefined ? [answer.pause] : [],
  )
  const pauses = new Pauses(names, options.onPause ?? (() => undefined))
  const desk: Desk = {
    ledger,
    pauses,
    clock,
    maxBodyBytes: options.limits?.maxBodyBytes ?? MAX_BODY_BYTES,
    sessionHeader: (options.sessionHeader ?? DEFAULT_SESSION_HEADER).toLowerCase(),
  }

  const open = new Map<AbortController, Promise<void>>()
  const server = createServer((request, response) => {
    const controller = new AbortController()
    const gone = (): void => {
      // A response that was sent whole closes too.
      if (!response.writableFinished) controller.abort('client-gone' satisfies ServedOutcome)
    }
    response.on('close', gone)
    // Writing to a client that has just left is an error, and means the same.
    response.on('error', gone)
    const running = exchange(request, response, controller.signal, desk)
    open.set(
      controller,
      running.finally(() => open.delete(controller)),
    )
  })
  // A server that drops idle connections races with clients that reuse them.
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo

  const shut = async (): Promise<WireReport> => {
    pauses.close()
    const stopped = new Promise<void>((resolve) => {
      server.close(() => resolve())
    })
    for (const controller of open.keys()) controller.abort('closed' satisfies ServedOutcome)
    server.closeAllConnections()
    const done = new AbortController()
    await Promise.race([
      Promise.all([stopped, ...open.values()]),
      delay(clock, CLOSE_MS, done.signal),
    ])
    done.abort()
    return ledger.report()
  }
  let closing: Promise<WireReport> | undefined

  return {
    url: `http://127.0.0.1:${port}`,
    get requests() {
      return ledger.requests()
    },
    report: () => ledger.report(),
    reached: (name) => pauses.reached(name),
    release: (name) => pauses.release(name),
    close: () => (closing ??= shut()),
  }
}
