/** The parts of the product that get faults. Each has its detector, see `README.md`. */
export type Area = 'loop' | 'subagents' | 'tools' | 'store' | 'protocol' | 'replay' | 'harness'

/** One change of one source file, by its text. */
export interface TextEdit {
  /** Relative to the package. */
  readonly file: string
  /** Must stand there exactly once: a fault that no longer fits proves nothing. */
  readonly find: string
  readonly replace: string
}

/** One change of one source file, by its place. Offsets are UTF-16 units of the whole file. */
export interface SpanEdit {
  readonly file: string
  readonly start: number
  readonly end: number
  readonly replace: string
}

/** A fault to be put into a copy of the product. */
export interface Fault {
  /** Unique in a campaign. */
  readonly name: string
  readonly area: Area
  /** The folder of the package below `packages`, as `core/agent`. */
  readonly package: string
  readonly edits: readonly (TextEdit | SpanEdit)[]
  /** Labels of which the first finding has to have one; absent for drawn faults. */
  readonly expect?: readonly string[]
  /** Scenarios that are tried first, by name. */
  readonly scenarios?: readonly string[]
  /** Known verdicts that are tried first, by name. */
  readonly guards?: readonly string[]
  /** Drawn faults: the operator and what it does, for people. */
  readonly operator?: string
  readonly change?: string
}

/** A place in a source at which an operator can work. */
export interface Site extends SpanEdit {
  readonly operator: string
  /** The smallest region around it, by number in its file. */
  readonly region: number
  /** From 1. */
  readonly line: number
}

/** A stretch of code of which it can be told whether it ran. */
export interface Region {
  readonly start: number
  readonly end: number
  /** How a marker is put in: before a statement, around one that stands without a block, around an expression. */
  readonly form: 'statement' | 'bare' | 'expression'
}

/** A run whose verdict is known beforehand: what the judge must go on calling so. */
export interface Guard {
  readonly name: string
  /** The scenario that it starts from. */
  readonly scenario: string
  /** Changes the copy of the scenario's folder. */
  readonly doctor?: (dir: string) => void
  /** The fault that its agent has, by name; absent for a sound agent. */
  readonly agent?: string
  /** The label of the first finding, or `passed`. */
  readonly expect: string
}

/** A verdict in the form in which two runs of one scenario compare equal. */
export interface PlainVerdict {
  readonly scenario: string
  /** `passed`, or the label of the first finding. */
  readonly label: string
  /** All of it but times, paths of the run and live ids, as JSON. */
  readonly text: string
}

/** What became of a fault. */
export interface Outcome {
  readonly fault: Fault
  /** What noticed it: a scenario, or a known verdict; absent where nothing did. */
  readonly by?: string
  /** What it was reported as. */
  readonly label?: string
  /** Survivors: whether normalised stdout, logs and report, or all that the judge says, are the same. */
  readonly same?: Comparison
  readonly seconds: number
}

export interface Comparison {
  readonly equal: boolean
  /** What was compared, in numbers, and where it parts. */
  readonly text: string
}
