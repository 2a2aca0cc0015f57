import { readFile } from 'node:fs/promises'
import { loadReplayScript, type ReplayEntry } from 'dsh-llm-replay'
import { isFields } from '../log/lines.ts'
import { type LogRecord, readRecords } from '../log/records.ts'
import type { HangPoint } from '../run/types.ts'
import type { Scenario, Step } from '../scenario/types.ts'

/**
 * The recorded hangs of a scenario, each with the prompt under which it waits: a cancel goes out only
 * once they are ready. Only an override can hold hangs, and it stands for the primary's calls.
 */
export async function findHangPoints(scenario: Scenario): Promise<HangPoint[]> {
  const { overrideFile, logFiles, input } = scenario
  const [file] = logFiles
  if (overrideFile === undefined || file === undefined) return []
  const entries = loadReplayScript({ file, overrideFile })
  const records = readRecords(await readFile(file, 'utf8'), file)
  return hangPoints(entries, records, input.steps)
}

/**
 * The log says which prompt each call belongs to. Where it does not go so far (of an overridden log
 * only the header has to be there), the steps say: the nth hang is the one that the nth
 * `promptAndCancel` ends.
 */
export function hangPoints(
  entries: readonly ReplayEntry[],
  records: readonly LogRecord[],
  steps: readonly Step[],
): HangPoint[] {
  const logged = promptOfCalls(records)
  const cancelled = cancelledPrompts(steps)
  const hangs = entries.flatMap((entry, index) => (entry.kind === 'hang' ? [index] : []))
  return hangs.flatMap((index, nth) => {
    const prompt = logged[index] ?? cancelled[nth]
    return prompt === undefined ? [] : [{ lane: 0, call: index + 1, root: 0, prompt }]
  })
}

/** For each model call of a log, in order, the number of its turn among the turns of the log. */
function promptOfCalls(records: readonly LogRecord[]): number[] {
  const prompts: number[] = []
  let turns = 0
  for (const { value } of records) {
    if (value['type'] === 'turn/start') turns += 1
    if (value['type'] === 'step/start' && isFields(value['data'])) prompts.push(turns)
  }
  return prompts
}

/** The prompts of the first root that are cancelled, by their number among those that open a turn. */
function cancelledPrompts(steps: readonly Step[]): number[] {
  const cancelled: number[] = []
  let roots = 0
  let prompts = 0
  for (const { op } of steps) {
    if (op === 'newSession') roots += 1
    if (roots > 1) break
    if (op === 'prompt' || op === 'promptExpectError' || op === 'promptAndCancel') prompts += 1
    if (op === 'promptAndCancel') cancelled.push(prompts)
  }
  return cancelled
}
