import { WIRE_FILE } from '../scenario/files.ts'
import { faultAdvice } from './fault-text.ts'
import type { Finding, Invocation, Verdict } from './types.ts'

/** How a red becomes green, for people and for programs. */
export interface Acceptance {
  /** The mode of the command, where there is one. */
  readonly mode?: 'refresh' | 'record'
  /** The whole command line. */
  readonly command?: string
  /** What the command does, or what there is to do without one. */
  readonly advice: string
  /** Another command, that asks the model again. */
  readonly alternative?: { readonly command: string; readonly advice: string }
  /** What to do instead where a tool gives something else back in every run. */
  readonly unsteady?: string
}

/** What accepts a red verdict, in the words of the project's own commands. */
export function acceptanceOf(verdict: Verdict, invocation: Invocation): Acceptance {
  const { scenario, remedy = 'fix', alternative, source, findings } = verdict
  const command = (mode: 'refresh' | 'record'): string => invocation(mode, [scenario])
  const key = source === 'api' ? "; needs the model's key" : ''
  switch (remedy) {
    case 'refresh':
      return {
        mode: 'refresh',
        command: command('refresh'),
        advice: 'keeps the recorded answers',
        ...(alternative !== undefined && {
          alternative: {
            command: command('record'),
            advice: `asks the model again, since it is shown something else${key}`,
          },
        }),
        ...unsteady(findings[0]),
      }
    case 'record':
      return {
        mode: 'record',
        command: command('record'),
        advice: `re-record: other model calls than recorded${key}`,
      }
    case 'by-hand':
      return {
        advice: 'edit the logs or the override by hand: an authored scenario is never recorded',
      }
    case 'agent':
      return { advice: 'the recording is not ours to change: find what the agent does differently' }
    case 'requests':
      return {
        advice: 'nothing to accept: the agent asks the model for something else than it logs',
      }
    case 'script':
      return {
        advice: `make the rules of ${scenario}/${WIRE_FILE} answer what the agent asks, or find out why it asks`,
      }
    case 'fix':
      return { advice: `nothing to accept: ${repairAdvice(findings[0], verdict)}` }
  }
}

/** A time or a count in a result makes a scenario red for ever, however often it is accepted. */
function unsteady(first: Finding | undefined): Pick<Acceptance, 'unsteady'> {
  if (first?.kind !== 'log-differs' || first.difference.eventType !== 'tool/result') return {}
  return { unsteady: `if it differs each time: ${steadying(first)}` }
}

const UNSTEADY = 'what the agent says and writes differs from run to run'

/** Rules replace what varies; a tool's result can also be taken from the recording. */
function steadying(first: Finding): string {
  const rule = 'in the config a rule of "normalise"'
  if (first.kind !== 'log-differs' || first.difference.eventType !== 'tool/result') return rule
  return `${rule}, or "tools": {${JSON.stringify(first.difference.tool ?? 'NAME')}: "recorded"}`
}

function repairAdvice(first: Finding | undefined, verdict: Verdict): string {
  switch (first?.kind) {
    case 'fault':
      return faultAdvice(first.fault, verdict.stderrTail, verdict.pendingTools?.at(-1)?.tool)
    case 'log-missing':
    case 'log-extra':
      return UNSTEADY
    case 'log-differs':
    case 'stdout-differs':
    case 'header-differs':
      return `${UNSTEADY}; to steady it: ${steadying(first)}`
    case 'wrong-lane':
      return 'two sessions must not have one place; see what stamps "root" and "spawnedBy"'
    default:
      return 'no recording would mend this'
  }
}
