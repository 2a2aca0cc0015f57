import type { Json } from 'dsh-brand'
import {
  explainAmbiguous,
  explainConsumed,
  explainUnscripted,
  type Miss,
} from '../match/explain.ts'
import { conversationKey, facetsOf } from '../match/facets.ts'
import { judgeRules } from '../match/judge.ts'
import type { ChatRequest } from '../match/request.ts'
import type { ReadyRule } from '../script/ready.ts'
import type { Facets, RefusalCode, ServedOutcome, WireReport, WireRequest } from '../types.ts'
import { buildReport } from './report.ts'

/** What came, as far as it was read. */
export interface Arrival {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly lineage?: string
  readonly body?: Json
}

export interface Serving {
  readonly kind: 'serve'
  readonly number: number
  readonly rule: ReadyRule
  /** How often this rule has answered this lineage before: arrival order does not change it. */
  readonly nth: number
}

export interface Refusal {
  readonly kind: 'refuse'
  readonly code: RefusalCode
  readonly message: string
}

/**
 * Who asked what, who got what, and what is left. Decisions are synchronous, so that requests that
 * arrive together are decided one after the other.
 */
export class Ledger {
  private readonly records: WireRequest[] = []
  private readonly conversations = new Map<string, number[]>()
  private readonly used = new Map<number, readonly number[]>()
  private readonly usedBy = new Map<string, number>()
  private arrived = 0

  private readonly rules: readonly ReadyRule[]
  private readonly source: string
  private readonly maxRequests: number

  constructor(rules: readonly ReadyRule[], source: string, maxRequests: number) {
    this.rules = rules
    this.source = source
    this.maxRequests = maxRequests
  }

  /** Counts a request that begins. False means that there are too many and it is not kept. */
  arrive(): boolean {
    this.arrived += 1
    return this.arrived <= this.maxRequests
  }

  limitRefusal(): Refusal {
    const message = `more than ${this.maxRequests} requests: the server keeps no more (maxRequests); does the agent loop?`
    return { kind: 'refuse', code: 'limit', message }
  }

  /** Records a request that is refused without being matched. */
  refuse(arrival: Arrival, code: RefusalCode, why: string): Refusal {
    const message = `request #${this.records.length + 1}: ${why}`
    return this.recordRefusal(arrival, undefined, code, message)
  }

  /** Decides which rule answers a request. */
  decide(arrival: Arrival, request: ChatRequest): Serving | Refusal {
    const number = this.records.length + 1
    const key = conversationKey(request.messages, arrival.lineage)
    const same = this.conversations.get(key) ?? []
    const retryOf = same.at(-1)
    this.conversations.set(key, [...same, number])

    const facets = facetsOf(request.messages, same.length + 1, arrival.lineage)
    const verdicts = judgeRules(this.rules, facets)
    const matching = verdicts.filter((verdict) => verdict.misses === 0)
    const miss: Miss = {
      number,
      facets,
      ...(retryOf !== undefined && { retryOf }),
      source: this.source,
      verdicts,
      uses: (rule) => this.usesOf(rule),
    }
    const [only, second] = matching
    if (only === undefined) {
      return this.recordRefusal(arrival, facets, 'unscripted', explainUnscripted(miss), retryOf)
    }
    if (second !== undefined) {
      return this.recordRefusal(
        arrival,
        facets,
        'ambiguous',
        explainAmbiguous(miss, matching),
        retryOf,
      )
    }
    const { rule } = only
    if (this.usesOf(rule.index).length >= rule.times) {
      return this.recordRefusal(arrival, facets, 'consumed', explainConsumed(miss, only), retryOf)
    }
    const nth = this.consume(rule.index, number, arrival.lineage)
    this.record(arrival, facets, { kind: 'served', rule: rule.index, outcome: 'open' })
    return { kind: 'serve', number, rule, nth }
  }

  /** Records how a served request ended. */
  end(number: number, outcome: ServedOutcome): void {
    const record = this.records[number - 1]
    if (record?.result.kind !== 'served') return
    this.records[number - 1] = { ...record, result: { ...record.result, outcome } }
  }

  requests(): readonly WireRequest[] {
    return [...this.records]
  }

  report(): WireReport {
    const over = Math.max(0, this.arrived - this.maxRequests)
    const uses = (rule: number): number => this.usesOf(rule).length
    return buildReport(this.rules, this.records, uses, over, this.maxRequests)
  }

  private consume(rule: number, number: number, lineage: string | undefined): number {
    this.used.set(rule, [...this.usesOf(rule), number])
    const key = JSON.stringify([rule, lineage])
    const nth = this.usedBy.get(key) ?? 0
    this.usedBy.set(key, nth + 1)
    return nth
  }

  private usesOf(rule: number): readonly number[] {
    return this.used.get(rule) ?? []
  }

  private recordRefusal(
    arrival: Arrival,
    facets: Facets | undefined,
    code: RefusalCode,
    message: string,
    retryOf?: number,
  ): Refusal {
    const repeats = retryOf !== undefined && { retryOf }
    this.record(arrival, facets, { kind: 'refused', code, message, ...repeats })
    return { kind: 'refuse', code, message }
  }

  private record(
    { method, path, headers, body }: Arrival,
    facets: Facets | undefined,
    result: WireRequest['result'],
  ): void {
    this.records.push({
      number: this.records.length + 1,
      method,
      path,
      headers,
      ...(body !== undefined && { body }),
      ...(facets !== undefined && { facets }),
      result,
    })
  }
}
