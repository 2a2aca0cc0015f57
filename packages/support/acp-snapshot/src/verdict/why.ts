import { describeFault } from './fault-text.ts'
import type { Difference, Finding, LaneSummary } from './types.ts'

/** What a finding means, in one sentence for people. */
export function whyOf(finding: Finding, lane: LaneSummary | undefined): string {
  switch (finding.kind) {
    case 'fault':
      return describeFault(finding.fault)
    case 'extra-call':
      return 'the agent calls the model more often than was recorded'
    case 'unrecorded-session':
      return 'a session calls the model that the recording does not have'
    case 'wrong-lane':
      return 'a session stands elsewhere among the sessions than in the recording'
    case 'unrecorded-retry':
      return 'the agent repeats a model call that was not repeated in the recording'
    case 'missing-retry':
      return 'the agent does not repeat a model call that was repeated in the recording'
    case 'poisoned':
    case 'refused':
      return finding.message
    case 'leftover':
      return leftover(finding, lane)
    case 'report-incomplete':
    case 'report-differs':
    case 'log-unreadable':
      return finding.message
    case 'line-form':
      return `line ${finding.line} of ${finding.file}: ${finding.message}`
    case 'log-missing':
      return `the session of ${finding.file} left no log`
    case 'log-extra':
      return `${finding.session} has a log, and no such session was recorded`
    case 'stdout-missing':
      return `${finding.file} is not committed yet`
    case 'header-differs':
      return finding.file.startsWith('system')
        ? 'the system prompt is another one'
        : `the tools that the model is offered are others${ofTool(finding.difference)}`
    case 'stdout-differs':
      return `the client hears something else${shifted(finding.difference, 'message')}`
    case 'request-drift':
      return 'the model is asked something else than the log of the session implies'
    case 'log-differs':
      return logDiffers(finding.difference)
  }
}

function leftover(
  { served, left }: Extract<Finding, { kind: 'leftover' }>,
  lane: LaneSummary | undefined,
): string {
  const all = served + left
  if (lane?.boundBy === 'nothing') {
    return `a recorded session is never there: none of its ${count(all, 'model call')} is made`
  }
  return `the agent stops short: ${served} of ${count(all, 'recorded model call')} made`
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}

function logDiffers(difference: Difference): string {
  const { eventType, shift, tool, path } = difference
  // The values are the whole events where their types differ, and nothing is to be said of one of them.
  if (shift !== undefined || path === '') {
    return `the log takes another course${shifted(difference, 'event')}`
  }
  switch (eventType) {
    case 'session':
      return 'the session itself is another one: its header differs'
    case 'user/message':
    case 'steering/message':
      return 'the agent is asked something else'
    case 'request/header':
    case 'request/header-delta':
      return 'the model is told something else with each request'
    case 'tool/call':
      return `a tool is called in another way${named(tool)}`
    case 'tool/result':
      return `a tool gives something else back${named(tool)}`
    default:
      return 'the log says something else'
  }
}

function named(tool: string | undefined): string {
  return tool === undefined ? '' : `: ${tool}`
}

/** The path of a difference between tools begins with the name of one. */
function ofTool({ path }: Difference): string {
  const name = /^[\w$-]+/.exec(path)?.[0]
  return name === undefined ? '' : `: ${name}`
}

function shifted({ shift }: Difference, what: string): string {
  if (shift === undefined) return ''
  return shift === 'extra' ? `: one ${what} too many` : `: one ${what} is left out`
}
