import { basename } from 'node:path'
import { messageOf } from 'dsh-brand'
import { resolveMode } from '../mode/resolve.ts'
import type { Effects, ModeInput, RequestedMode } from '../mode/types.ts'
import { loadScenario } from '../scenario/load.ts'
import { defaultModelEnv, keyMissing } from '../run/model-env.ts'
import type { Scenario } from '../scenario/types.ts'
import { type RecordOutcome, recordScenario } from '../tier/record.ts'
import { type RefreshOutcome, refreshScenario } from '../tier/refresh.ts'
import { replayScenario } from '../tier/replay.ts'
import type { TierOptions } from '../tier/types.ts'
import { describeFault } from '../verdict/fault-text.ts'
import { renderVerdict } from '../verdict/render.ts'
import { verdictReport } from '../verdict/verdict-report.ts'
import type { Invocation, Remedy, Verdict } from '../verdict/types.ts'
import type { JsonLine } from './json-line.ts'

export interface OneRequest {
  readonly mode: RequestedMode
  readonly json: boolean
  readonly out: string | undefined
  readonly outPlace: ModeInput['out']
  readonly env: Readonly<Record<string, string | undefined>>
  readonly tier: TierOptions
  /** How this project brings its scenarios up to date. */
  readonly invocation: Invocation
  /** Whether people read it on a terminal that knows colours. */
  readonly colour: boolean
}

/** What became of one scenario, and what is said about it. */
export interface OneResult {
  readonly name: string
  readonly status: 'passed' | 'failed' | 'skipped'
  readonly lines: readonly string[]
  /** What is to be said once, however many scenarios bring it up. */
  readonly notices?: readonly string[]
  /** The fault that failed it, where that may fail others in the same way. */
  readonly cause?: string
  /** The folder of its run, where that was kept. */
  readonly runDir?: string
  /** What makes it green, where it is red by its verdict. */
  readonly remedy?: Remedy
}

/** Does to one scenario what the mode says. Never rejects. */
export async function oneScenario(request: OneRequest, dir: string): Promise<OneResult> {
  const name = basename(dir)
  const { mode, env, out } = request
  const { modelEnv = defaultModelEnv } = request.tier.agent
  try {
    const scenario = await loadScenario(dir, {
      purpose: mode === 'record' ? 'record' : 'replay',
      signal: request.tier.signal,
      invocation: request.invocation,
    })
    const effects = resolveMode({
      mode,
      ci: isSet(env['CI']),
      keyMissing: keyMissing(modelEnv, env),
      source: scenario.input.source,
      out: request.outPlace,
    })
    if (effects.kind === 'skip')
      return { name, status: 'skipped', lines: skipped(request, name, effects) }
    if (effects.kind === 'refuse') return failure(request, name, effects.reason)
    const options = { ...request.tier, env, ...(out !== undefined && { out }) }
    if (effects.model !== 'recording') {
      return recorded(request, await recordScenario(scenario, options))
    }
    return effects.write === 'nowhere'
      ? replayed(request, scenario, {
          ...(await replayScenario(scenario, request.tier)),
          written: [],
        })
      : replayed(request, scenario, await refreshScenario(scenario, options))
  } catch (error) {
    const cut = request.tier.signal?.aborted === true
    return failure(request, name, cut ? 'the run was interrupted' : messageOf(error))
  }
}

function replayed(
  request: OneRequest,
  { name }: Scenario,
  { verdict, written, problem }: RefreshOutcome,
): OneResult {
  const { json, invocation } = request
  if (json) {
    const more = {
      ...(written.length > 0 && { written }),
      ...(problem !== undefined && { problem }),
    }
    const line = { ...verdictReport(verdict, { invocation }), ...more }
    return { name, status: verdict.status, lines: [jsonText(line)] }
  }
  const lines = [
    ...(problem === undefined ? [] : [`✗ ${name}: ${problem}`]),
    renderVerdict(verdict, request),
    ...wrote(written),
  ]
  const { status, notices, remedy } = verdict
  return { name, status, lines, notices, ...(remedy && { remedy }), ...sharedCause(verdict) }
}

function recorded(request: OneRequest, outcome: RecordOutcome): OneResult {
  const { json, invocation } = request
  const {
    scenario: name,
    status,
    written,
    commands,
    problems,
    verdict,
    durationMs,
    runDir,
  } = outcome
  const result = { name, status: status === 'recorded' ? ('passed' as const) : ('failed' as const) }
  if (json) {
    const { verdict: _told, ...others } = outcome
    const told = verdict === undefined ? {} : { verdict: verdictReport(verdict, { invocation }) }
    return { ...result, lines: [jsonText({ format: 1, ...others, ...told })] }
  }
  if (status === 'recorded') {
    const what = written.length === 0 ? 'as committed' : 'recorded'
    const lines = [
      `✓ ${name}: ${what}, ${durationMs} ms, replays`,
      ...(commands.length === 0 ? [] : [`  replay will run ${commands.map(quoted).join(', ')}`]),
      ...wrote(written),
    ]
    /* v8 ignore next -- what is recorded has been replayed, and has its verdict */
    return { ...result, lines, notices: verdict?.notices ?? [] }
  }
  const kept = runDir === undefined || runDir === verdict?.runDir ? [] : [`  recording  ${runDir}`]
  return {
    ...result,
    ...(problems.length === 0 && verdict !== undefined && sharedCause(verdict)),
    lines: [
      ...problems.map((problem) => `✗ ${name}: ${problem}`),
      ...(verdict === undefined ? [] : [renderVerdict(verdict, request)]),
      ...kept,
    ],
  }
}

/** What an agent could not do may be what no agent can do today: with this key, at this endpoint. */
function sharedCause({ findings: [first], runDir }: Verdict): Pick<OneResult, 'cause' | 'runDir'> {
  if (first?.kind !== 'fault' || first.fault.kind !== 'step-failed') return {}
  return { cause: describeFault(first.fault), ...(runDir !== undefined && { runDir }) }
}

function failure({ json }: OneRequest, name: string, reason: string): OneResult {
  const line = json
    ? jsonText({ format: 1, scenario: name, status: 'failed', problems: [reason] })
    : `✗ ${name}: ${reason}`
  return { name, status: 'failed', lines: [line] }
}

function skipped(
  { json }: OneRequest,
  name: string,
  { reason }: Extract<Effects, { kind: 'skip' }>,
): string[] {
  return json
    ? [jsonText({ format: 1, scenario: name, status: 'skipped', reason })]
    : [`- ${name}: ${reason}`]
}

function jsonText(line: JsonLine): string {
  return JSON.stringify(line)
}

function wrote(written: readonly string[]): string[] {
  return written.length === 0 ? [] : [`  wrote ${written.join(', ')}`]
}

function quoted(text: string): string {
  return JSON.stringify(text)
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== 'false' && value !== '0'
}
