import type { RunFault } from '../run/types.ts'

/** A fault in one sentence for people. */
export function describeFault(fault: RunFault): string {
  switch (fault.kind) {
    case 'step-failed':
      return `step ${fault.step} (${fault.op}) failed: ${fault.message}`
    case 'protocol-line':
      return `stdout line ${fault.line} is no protocol message: ${fault.text}`
    case 'agent-exited':
      return `${exitText(fault)}${fault.during === undefined ? '' : ` while waiting for ${fault.during}`}`
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

/** What there is to do about a fault. `inTool` is the tool that it happened in, where it did. */
export function faultAdvice(fault: RunFault, stderr: string, inTool?: string): string {
  switch (fault.kind) {
    case 'step-failed':
      return 'a step of input.json did not do what it should; mend the agent, or the step'
    case 'protocol-line':
      return 'stdout belongs to the protocol alone; print to stderr'
    case 'agent-exited':
      if (stderr.trim() !== '') {
        return 'the agent must not end by itself; its last words are on stderr'
      }
      return `the agent must not end by itself, and it says nothing on stderr${whereItExits(fault, inTool)}`
    case 'agent-not-started':
      return 'see that the command of the agent can be run'
    case 'timeout':
      return 'find what waits; a run that may take longer says so by timeoutMs in input.json'
    case 'interrupted':
      return 'run it again'
    case 'descendants-left':
      return 'an agent ends what it started'
    case 'output-too-large':
      return 'find what prints without end'
    case 'report-unreadable':
      return 'only llm-replay may write the report'
    case 'harvest-failed':
      return 'look into the sessions folder of the run'
  }
}

/** Only a process that ends itself does so without a word; a signal comes from elsewhere. */
function whereItExits(
  { signal }: Extract<RunFault, { kind: 'agent-exited' }>,
  inTool: string | undefined,
): string {
  return inTool === undefined || signal !== null
    ? ''
    : `: look for process.exit in ${inTool}, and in what it runs`
}
