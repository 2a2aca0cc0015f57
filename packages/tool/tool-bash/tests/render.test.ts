import { expect, test } from 'vitest'
import { type CommandEnd, renderEnd } from '../src/render.ts'

const ended: CommandEnd = { stdout: '', stderr: '', exitCode: 0, signal: null }

test.each<[string, Partial<CommandEnd>, string]>([
  ['stdout is verbatim', { stdout: 'a\n' }, 'a\n'],
  ['and gets no newline', { stdout: 'a' }, 'a'],
  ['silence is told', {}, '(no output)'],
  ['so is a silent failure', { exitCode: 1 }, '(no output)\n[exit code: 1]'],
  ['a failure after output', { stdout: 'a\n', exitCode: 2 }, 'a\n[exit code: 2]'],
  ['a missing newline is added', { stdout: 'a', exitCode: 2 }, 'a\n[exit code: 2]'],
  ['stderr has its marker', { stderr: 'e\n' }, '[stderr]\ne\n'],
  ['after stdout', { stdout: 'a\n', stderr: 'e\n' }, 'a\n[stderr]\ne\n'],
  ['on a line of its own', { stdout: 'a', stderr: 'e' }, 'a\n[stderr]\ne'],
  ['all three', { stdout: 'a', stderr: 'e', exitCode: 3 }, 'a\n[stderr]\ne\n[exit code: 3]'],
  ['a signal', { exitCode: null, signal: 'SIGSEGV' }, '(no output)\n[killed by signal: SIGSEGV]'],
  [
    'a timeout',
    { stdout: 'a\n', exitCode: null, signal: 'SIGTERM', timedOutMs: 5 },
    'a\n[timed out after 5ms]\n[killed by signal: SIGTERM]',
  ],
  [
    'a timeout of a command that ends well',
    { exitCode: 0, timedOutMs: 5 },
    '(no output)\n[timed out after 5ms]',
  ],
  [
    'a timeout of a command that ends badly',
    { stderr: 'e', exitCode: 143, timedOutMs: 5 },
    '[stderr]\ne\n[timed out after 5ms]\n[exit code: 143]',
  ],
  ['an empty line is output', { stdout: '\n', exitCode: 1 }, '\n[exit code: 1]'],
])('%s', (_what, end, text) => {
  expect(renderEnd({ ...ended, ...end })).toBe(text)
})
