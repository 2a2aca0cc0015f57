import type { ScenarioSource } from '../scenario/types.ts'

/** What the user asked for. */
export type RequestedMode = 'replay' | 'refresh' | 'record'

/** Everything that a mode depends on. */
export interface ModeInput {
  readonly mode: RequestedMode
  /** Whether this is a CI machine. */
  readonly ci: boolean
  /** Why no real model can be asked, where none can: its key is not set. */
  readonly keyMissing: string | undefined
  readonly source: ScenarioSource
  /** `--out DIR`: absent, inside the checkout that holds the scenario, or outside it. */
  readonly out: 'none' | 'inside' | 'outside'
}

/** Who answers the agent's model calls. */
export type ModelRole = 'recording' | 'endpoint' | 'embedded'

/** What may happen to one scenario. */
export type Effects =
  | {
      readonly kind: 'run'
      readonly model: ModelRole
      /**
       * - `nowhere`: outputs are compared only.
       * - `scenario`: into the scenario's folder. `out`: into the folder of `--out`.
       */
      readonly write: 'nowhere' | 'scenario' | 'out'
      /** When writing: only where replay itself reported no error. */
      readonly writeOnlyIfReplayIsClean: boolean
      /** Whether a difference from what is committed makes the scenario red. */
      readonly compare: boolean
    }
  /** Nothing is done, and that is no failure; say so. */
  | { readonly kind: 'skip'; readonly reason: string }
  /** The request itself is wrong. */
  | { readonly kind: 'refuse'; readonly reason: string }
