import type { RunResult } from '../../src/run/types.ts'
import type { Scenario } from '../../src/scenario/types.ts'

/** A replay run in which nothing happened, but for what is given. */
export function runResult(more: Partial<RunResult> = {}): RunResult {
  const folder = { dir: '/run', cwd: '/run/cwd' } as RunResult['folder']
  const result: Partial<RunResult> = {
    scenario: 's',
    mode: 'replay',
    folder,
    cwdAliases: ['/run/cwd'],
    stdout: [],
    sessionLogs: [],
    report: [],
    stderrTail: '',
    notices: [],
    faults: [],
    sessionIds: [],
    durationMs: 12.4,
    ...more,
  }
  return result as RunResult
}

export function scenario(more: Partial<Scenario> = {}): Scenario {
  return {
    name: 's',
    dir: '/s',
    input: { steps: [], source: 'authored' },
    logFiles: ['/s/session.jsonl'],
    ...more,
  }
}
