import type { NormaliseRule } from 'dsh-llm-replay'
import { splitLines } from '../log/lines.ts'
import { normaliserForRecording, recordingFacts } from '../normalise/recording.ts'
import type { NormaliseOptions } from '../normalise/types.ts'
import type { RunResult } from '../run/types.ts'
import { SYSTEM_FILE, TOOLS_FILE, STDOUT_FILE } from '../scenario/files.ts'
import type { Scenario } from '../scenario/types.ts'
import { compareLogs, compareStdout, compareText, type NamedLog } from './compare.ts'
import { ENDED_EARLY } from './cut-short.ts'
import type { Expected } from './expected.ts'
import { type NormalRun, normaliseRun } from './normal-run.ts'
import { type PinnedHeader, pinnedHeader } from './pinned.ts'
import { pendingTools } from './pending-tools.ts'
import { orderDifferences } from './order.ts'
import { compareTools } from './pinned-difference.ts'
import { readable } from './readable.ts'
import { remedyFor } from './remedy.ts'
import { readReport } from './report.ts'
import type { Finding, Verdict } from './types.ts'

/**
 * Judges a run: what went wrong while it ran, what replay reported (whatever the agent made of it),
 * and what it said and wrote against what was committed. A recording is judged by its faults alone.
 * @throws SnapshotError `BAD_FIXTURE` or `NOT_JSON` for expected logs that cannot be read;
 *   `loadScenario` finds those first.
 */
export function judge(
  scenario: Scenario,
  expected: Expected,
  result: RunResult,
  rules: readonly NormaliseRule[] = [],
): Verdict {
  const normal = normaliseRun(result, {
    rules,
    pinHeader: scenario.pinnedHeader !== undefined,
    recordedSessionIds: recordingFacts(expected.logs.map((log) => log.text)).sessionIds,
  })
  const killed = result.faults.some((fault) => ENDED_EARLY[fault.kind])
  const report = readReport(result.mode === 'record' ? [] : result.report, {
    lanes: result.mode === 'record' ? [] : expected.lanes,
    killed,
  })
  const told = [...report.causes, ...faultsOf(result, normal), ...report.findings]
  const findings = [
    ...told.map((finding) => readable(finding, scenario, normal)),
    ...(result.mode === 'record' ? [] : differences(scenario, expected, normal, rules)),
    ...report.drifts,
  ]
  const passed = findings.length === 0
  return {
    scenario: scenario.name,
    status: passed ? 'passed' : 'failed',
    ...(!passed && remedyFor(findings, scenario.input.source)),
    source: scenario.input.source,
    findings,
    lanes: report.lanes,
    ...lastCallOf(result),
    ...(killed && pendingOf(normal, expected)),
    logsCompared: result.mode === 'record' ? 0 : normal.logs.length,
    durationMs: result.durationMs,
    stderrTail: result.stderrTail,
    notices: result.notices,
    // After an interruption the folder is gone already.
    ...(!passed && !wasInterrupted(result) && { runDir: result.folder.dir }),
  }
}

/** Whether the run was interrupted, so that its folder has been removed. */
export function wasInterrupted({ faults }: Pick<RunResult, 'faults'>): boolean {
  return faults.some((fault) => fault.kind === 'interrupted')
}

/** The last call that was answered: how far a run got that ended early. */
function lastCallOf({ mode, report }: RunResult): Pick<Verdict, 'lastCall'> {
  if (mode === 'record') return {}
  const last = report.findLast((record) => record.event === 'served')
  return last === undefined ? {} : { lastCall: { lane: last.lane, call: last.call } }
}

function pendingOf(normal: NormalRun, { logs }: Expected): Pick<Verdict, 'pendingTools'> {
  const pending = pendingTools(normal, logs)
  return pending.length === 0 ? {} : { pendingTools: pending }
}

/** The run names the lines that are no protocol as it meets them; none is named twice. */
function faultsOf(result: RunResult, normal: NormalRun): Finding[] {
  const named = new Set(
    result.faults.flatMap((fault) => (fault.kind === 'protocol-line' ? [fault.line] : [])),
  )
  const further = normal.findings.filter(
    (finding) =>
      finding.kind !== 'fault' ||
      finding.fault.kind !== 'protocol-line' ||
      !named.has(finding.fault.line),
  )
  return [...result.faults.map((fault): Finding => ({ kind: 'fault', fault })), ...further]
}

function differences(
  scenario: Scenario,
  expected: Expected,
  normal: NormalRun,
  rules: readonly NormaliseRule[],
): Finding[] {
  const pinHeader = scenario.pinnedHeader !== undefined
  const wanted = normalExpected(expected, { pinHeader, rules })
  return orderDifferences(
    [
      ...compareLogs(wanted.logs, normal.logs),
      ...pinnedDifferences(expected.pinned, normal),
      ...stdoutDifferences(wanted.stdout, normal.stdout),
    ],
    expected.lanes,
  )
}

/**
 * Committed texts are normal as a rule; a raw harvested log is a valid fixture all the same. The
 * transcript is always normal, so its tokens must not push the numbers of raw logs up.
 */
function normalExpected(
  { logs, stdout }: Expected,
  options: Pick<NormaliseOptions, 'pinHeader' | 'rules'>,
): { readonly logs: readonly NamedLog[]; readonly stdout: string | undefined } {
  const normaliser = normaliserForRecording(
    logs.map((log) => log.text),
    options,
  )
  const normal = logs.map(({ name, text }, rank) => ({ name, text: normaliser.log(text, rank) }))
  if (stdout === undefined) return { logs: normal, stdout }
  return { logs: normal, stdout: normaliser.stdout(splitLines(stdout)).join('\n') }
}

function stdoutDifferences(expected: string | undefined, actual: readonly string[]): Finding[] {
  if (expected === undefined) return [{ kind: 'stdout-missing', file: STDOUT_FILE }]
  const difference = compareStdout(expected, actual)
  return difference === undefined ? [] : [{ kind: 'stdout-differs', file: STDOUT_FILE, difference }]
}

function pinnedDifferences(expected: Expected['pinned'], normal: NormalRun): Finding[] {
  if (expected === undefined) return []
  const none: PinnedHeader = { system: '', tools: '' }
  const actual = pinnedHeader(normal.logs[0]?.text ?? '') ?? none
  const pairs = [
    [SYSTEM_FILE, compareText(expected.system, actual.system)],
    [TOOLS_FILE, compareTools(expected.tools, actual.tools)],
  ] as const
  return pairs.flatMap(([file, difference]): Finding[] => {
    return difference === undefined ? [] : [{ kind: 'header-differs', file, difference }]
  })
}
