import { DshError } from 'dsh-brand'
import type { Compositions } from './types.ts'

/**
 * Which composition `DSH_SNAPSHOT` asks for.
 * @throws DshError `BAD_SNAPSHOT_MODE`, `NO_SNAPSHOT_CONFIG`
 */
export function chooseComposition(of: Compositions, mode: string | undefined): URL {
  switch (mode) {
    case undefined:
    case '':
    case 'record':
      return of.config
    case 'replay':
      if (of.snapshotConfig !== undefined) return of.snapshotConfig
      throw new DshError(
        'NO_SNAPSHOT_CONFIG',
        'DSH_SNAPSHOT is "replay", but this agent has no snapshot composition; give its runner a snapshotConfig',
      )
    default:
      throw new DshError(
        'BAD_SNAPSHOT_MODE',
        `DSH_SNAPSHOT must be "replay" or "record", got "${mode}"; unset it for a live run`,
      )
  }
}
