import type { Cut, ScriptedUsage, StatusAnswer, StreamFault, WireWhen } from '../types.ts'

/** A rule with nothing left to decide but for whom: no placeholders, no defaults, texts cut. */
export interface ReadyRule {
  readonly index: number
  /** The name where it has one, else its position: what generated ids are made from. */
  readonly key: string
  readonly name?: string
  readonly when: WireWhen
  readonly times: number
  readonly answer: ReadyAnswer
}

export type ReadyAnswer =
  | ({ readonly kind: 'stream' } & ReadyStream)
  | ({ readonly kind: 'status' } & ReadyStatus)

export interface ReadyStream {
  readonly reasoning: readonly string[]
  readonly text: readonly string[]
  readonly calls: readonly ReadyCall[]
  readonly finish: string
  readonly usage?: ScriptedUsage
  readonly usageOn: 'finish' | 'own'
  readonly gapMs: number
  readonly keepAlive: number
  readonly fault?: StreamFault
  /** Under which a hang or a hold is known. */
  readonly pause?: string
}

export interface ReadyCall {
  readonly id?: string
  readonly name: string
  readonly arguments: readonly string[]
}

interface ReadyStatus {
  readonly status: number
  readonly headers: NonNullable<StatusAnswer['headers']>
  readonly body: string
}

/** The cut of a text that says nothing: one piece. */
export const WHOLE: Cut = Number.MAX_SAFE_INTEGER
