import { readFile } from 'node:fs/promises'
import type { CallPosition, SessionScript } from 'dsh-llm-replay'
import { isFields } from '../log/lines.ts'
import { type LogRecord, readRecords } from '../log/records.ts'
import type { HangPoint } from '../run/types.ts'
import { scenarioScripts } from '../scenario/scripts.ts'
import type { Scenario, Step } from '../scenario/types.ts'

/**
 * The recorded hangs of a scenario, those of children too, each with the prompt under which it
 * waits: a cancel goes out only once they are ready.
 */
export async function findHangPoints(scenario: Scenario): Promise<HangPoint[]> {
  const points: HangPoint[] = []
  for (const [lane, script] of scenarioScripts(scenario).entries()) {
    if (!script.entries.some(({ kind }) => kind === 'hang')) continue
    const { file } = script
    const records = readRecords(await readFile(file, 'utf8'), file)
    points.push(...hangPoints(lane, script, records, scenario.input.steps))
  }
  return points
}

/**
 * A child's lineage says under which turn of the root it was started; a root's log says which prompt
 * each call belongs to: by the turn where the script was derived from it, else by counting steps and
 * retries, one call each. Where neither does (of an overridden log only the header has to be there, and old logs
 * have no lineage), the steps say: the nth hang of a lane is the one that the nth `promptAndCancel`
 * ends.
 */
export function hangPoints(
  lane: number,
  { entries, positions, lineage }: Pick<SessionScript, 'entries' | 'positions' | 'lineage'>,
  records: readonly LogRecord[],
  steps: readonly Step[],
): HangPoint[] {
  const root = lineage?.root ?? 0
  const turnOfRoot = lineage?.path[0]?.turn
  const child = records[0]?.value['parentSession'] !== undefined
  const logged = child
    ? []
    : positions.length > 0
      ? promptOfPositions(positions, records)
      : promptOfCalls(records)
  const cancelled = cancelledPrompts(steps, root)
  const hangs = entries.flatMap((entry, index) => (entry.kind === 'hang' ? [index] : []))
  return hangs.flatMap((index, nth) => {
    const prompt = turnOfRoot ?? logged[index] ?? cancelled[nth]
    return prompt === undefined ? [] : [{ lane, call: index + 1, root, prompt }]
  })
}

/** For each derived call, the number of its turn among the turns of the log. */
function promptOfPositions(
  positions: readonly CallPosition[],
  records: readonly LogRecord[],
): (number | undefined)[] {
  const prompts = new Map<unknown, number>()
  for (const { value } of records) {
    if (value['type'] !== 'turn/start' || !isFields(value['data'])) continue
    prompts.set(value['data']['turn'], prompts.size + 1)
  }
  return positions.map(({ turn }) => prompts.get(turn))
}

/** What each stands for one call. */
const MAKES_CALL = new Set<unknown>(['step/start', 'llm/retry'])

/** For each model call of a log, in order, the number of its turn among the turns of the log. */
function promptOfCalls(records: readonly LogRecord[]): number[] {
  const prompts: number[] = []
  let turns = 0
  for (const { value } of records) {
    if (value['type'] === 'turn/start') turns += 1
    if (MAKES_CALL.has(value['type']) && isFields(value['data'])) prompts.push(turns)
  }
  return prompts
}

/** The prompts of a root that are cancelled, by their number among those that open a turn. */
function cancelledPrompts(steps: readonly Step[], root: number): number[] {
  const cancelled: number[] = []
  let newest = -1
  let prompts = 0
  for (const { op } of steps) {
    if (op === 'newSession') newest += 1
    if (newest !== root) continue
    if (op === 'prompt' || op === 'promptExpectError' || op === 'promptAndCancel') prompts += 1
    if (op === 'promptAndCancel') cancelled.push(prompts)
  }
  return cancelled
}
