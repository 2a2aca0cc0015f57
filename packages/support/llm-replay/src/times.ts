const DURATIONS = new Set(['durationMs', 'duration', 'elapsedMs', 'elapsed'])

/** The year 2001 in milliseconds: smaller numbers under such a key are no points in time. */
const EARLIEST_INSTANT = 1e12

/** Whether a number under this key is a duration or a point in time, which no two runs share. */
export function isTime(key: string, value: number): boolean {
  if (DURATIONS.has(key)) return true
  return value >= EARLIEST_INSTANT && /(?:^timestamp|^time|At)$/.test(key)
}
