import { expect, it } from 'vitest'
import type { RunFault } from '../../src/run/types.ts'
import { describeFault, faultAdvice } from '../../src/verdict/fault-text.ts'

it.each<[RunFault, string]>([
  [{ kind: 'step-failed', step: 2, op: 'prompt', message: 'm' }, 'step 2 (prompt) failed: m'],
  [{ kind: 'protocol-line', line: 3, text: 'x' }, 'stdout line 3 is no protocol message: x'],
  [{ kind: 'agent-exited', code: 1, signal: null }, 'the agent exited with code 1'],
  [{ kind: 'agent-exited', code: null, signal: 'SIGKILL' }, 'the agent was ended by SIGKILL'],
  [
    { kind: 'agent-exited', code: 1, signal: null, during: 'initialize' },
    'the agent exited with code 1 while waiting for initialize',
  ],
  [{ kind: 'agent-not-started', message: 'm' }, 'the agent did not start: m'],
  [{ kind: 'timeout', afterMs: 5, waitingFor: 'x' }, 'nothing after 5 ms while waiting for x'],
  [{ kind: 'interrupted' }, 'the run was interrupted'],
  [
    { kind: 'descendants-left', processes: ['a', 'b'] },
    'processes were left behind and killed: a, b',
  ],
  [{ kind: 'output-too-large', stream: 'stderr', bytes: 9 }, 'stderr grew past 9 bytes'],
  [{ kind: 'output-too-large', stream: 'stdout', lines: 9 }, 'stdout grew past 9 lines'],
  [{ kind: 'report-unreadable', message: 'm' }, 'the replay report cannot be read: m'],
  [{ kind: 'harvest-failed', message: 'm' }, 'the session logs cannot be collected: m'],
])('%j: %s', (fault, text) => {
  expect(describeFault(fault)).toBe(text)
})

it.each<[RunFault, string]>([
  [{ kind: 'step-failed', step: 2, op: 'prompt', message: 'm' }, 'mend the agent, or the step'],
  [{ kind: 'protocol-line', line: 3, text: 'x' }, 'print to stderr'],
  [{ kind: 'agent-exited', code: 1, signal: null }, 'it says nothing on stderr'],
  [{ kind: 'agent-not-started', message: 'm' }, 'see that the command of the agent can be run'],
  [{ kind: 'timeout', afterMs: 5, waitingFor: 'x' }, 'timeoutMs in input.json'],
  [{ kind: 'interrupted' }, 'run it again'],
  [{ kind: 'descendants-left', processes: ['a'] }, 'an agent ends what it started'],
  [{ kind: 'output-too-large', stream: 'stderr', bytes: 9 }, 'find what prints without end'],
  [{ kind: 'report-unreadable', message: 'm' }, 'only llm-replay may write the report'],
  [{ kind: 'harvest-failed', message: 'm' }, 'the sessions folder of the run'],
])('says what to do about %j', (fault, text) => {
  expect(faultAdvice(fault, ' \n')).toContain(text)
})

it('sends people to the last words of an agent that has some', () => {
  const fault: RunFault = { kind: 'agent-exited', code: 1, signal: null }
  expect(faultAdvice(fault, 'Error: no')).toContain('its last words are on stderr')
})

it('says where to look where an agent ended within a tool', () => {
  const exited = { kind: 'agent-exited', code: 1, signal: null } as const
  const advice = ': look for process.exit in bash, and in what it runs'
  expect(faultAdvice(exited, '', 'bash')).toContain(`nothing on stderr${advice}`)
  expect(faultAdvice(exited, 'Error: no', 'bash')).not.toContain('bash')
  expect(faultAdvice({ ...exited, code: null, signal: 'SIGKILL' }, '', 'bash')).not.toContain(
    'bash',
  )
  expect(faultAdvice(exited, '')).toMatch(/nothing on stderr$/)
})
