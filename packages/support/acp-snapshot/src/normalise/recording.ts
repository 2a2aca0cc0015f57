import { lexicalAliases } from 'dsh-llm-replay'
import { readHeader } from '../log/header.ts'
import { createNormaliser } from './normaliser.ts'
import type { NormaliseOptions, Normaliser } from './types.ts'

/** A scenario's outputs, all of them, in order. */
export interface Outputs {
  readonly stdout: readonly string[]
  /** In harvest order. */
  readonly logs: readonly string[]
}

/** Normalises a scenario's outputs as one: stdout first; every log's rank is its place. */
export function normaliseOutputs({ stdout, logs }: Outputs, options: NormaliseOptions): Outputs {
  const normaliser = createNormaliser({ ...options, outputs: [stdout.join('\n'), ...logs] })
  return {
    stdout: normaliser.stdout(stdout),
    logs: logs.map((log, rank) => normaliser.log(log, rank)),
  }
}

/**
 * A normaliser for logs of another machine or another time: what their headers say is taken
 * lexically, since their paths mean nothing here. A cwd of `{{cwd}}`, or none, is normal already.
 * @throws SnapshotError `BAD_FIXTURE` or `NOT_JSON` for a log without a readable header.
 */
export function normaliserForRecording(
  logs: readonly string[],
  options: Pick<NormaliseOptions, 'pinHeader' | 'outputs' | 'rules'> = {},
): Normaliser {
  return createNormaliser({ outputs: logs, ...options, ...recordingFacts(logs) })
}

/** Session ids and paths of recorded logs, from their headers. */
export function recordingFacts(
  logs: readonly string[],
): Pick<NormaliseOptions, 'sessionIds' | 'cwdAliases'> {
  const headers = logs.map((log, index) => readHeader(log, `log ${index + 1}`))
  return {
    sessionIds: headers.map(({ id }) => id),
    cwdAliases: headers.flatMap(({ cwd }) => (cwd === undefined ? [] : lexicalAliases(cwd))),
  }
}
