import { SnapshotError } from '../error.ts'

/**
 * The share of one of several parties, as `2/3`: every third name from the second on. Each name is
 * in exactly one share, whatever they are, as long as all are given the same names.
 * @throws SnapshotError `BAD_CONFIG` for anything but two whole numbers, the first from 1 to the second
 */
export function shareOf(names: readonly string[], part: string): string[] {
  const [number, of] = (/^(\d+)\/(\d+)$/.exec(part) ?? []).slice(1).map(Number)
  if (number === undefined || of === undefined || number < 1 || number > of) {
    throw new SnapshotError('BAD_CONFIG', `part must be as "1/2", got ${JSON.stringify(part)}`)
  }
  return names.filter((_, index) => index % of === number - 1)
}
