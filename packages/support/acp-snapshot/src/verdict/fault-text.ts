import type { RunFault } from '../run/types.ts'

/** A fault in one sentence for people. */
export function describeFault(fault: RunFault): string {
  switch (fault.kind) {
    case 'step-failed':
      return `step ${fault.step} (${fault.op}) failed: ${fault.message}`
    case 'protocol-line':
      return `stdout line ${fault.line} is no protocol message: ${fault.text}`
    case 'agent-exited':
      return `${exitText(fault)}${fault.during === undefined ? '' : ` during ${fault.during}`}`
    case 'agent-not-started':
      return `the agent did not start: ${fault.message}`
    case 'timeout':
      return `nothing after ${fault.afterMs} ms while waiting for ${fault.waitingFor}`
    case 'interrupted':
      return 'the run was interrupted'
    case 'descendants-left':
      return `processes were left behind and killed: ${fault.processes.join(', ')}`
    case 'output-too-large':
      return fault.bytes === undefined
        ? `${fault.stream} grew past ${fault.lines} lines`
        : `${fault.stream} grew past ${fault.bytes} bytes`
    case 'report-unreadable':
      return `the replay report cannot be read: ${fault.message}`
    case 'harvest-failed':
      return `the session logs cannot be collected: ${fault.message}`
  }
}

function exitText({ code, signal }: Extract<RunFault, { kind: 'agent-exited' }>): string {
  return signal === null ? `the agent exited with code ${code}` : `the agent was ended by ${signal}`
}
