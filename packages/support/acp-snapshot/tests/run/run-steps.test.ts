import { describe, expect, test } from 'vitest'
import type { Step } from '../../src/scenario/types.ts'
import { hello, open, run, scenario, useTempDir } from './harness.ts'

const tempRoot = useTempDir()

async function faultsOf(agent: [string, ...string[]], steps: readonly Step[]): Promise<unknown> {
  return (await run({ agent, scenario: scenario(steps), tempRoot: tempRoot() })).faults
}

describe('steps', () => {
  test('terminal output is offered where the scenario says so', async () => {
    const result = await run({
      agent: ['official.mjs'],
      scenario: scenario([{ op: 'initialize', terminalOutput: true }]),
      tempRoot: tempRoot(),
    })
    expect(result.faults).toEqual([])
    expect(result.stderrTail).toBe('meta {"terminal_output":true}\n')
  })

  test('errors that are expected pass', async () => {
    const steps: Step[] = [
      { op: 'initialize' },
      { op: 'newSessionExpectError', additionalDirectories: ['/extra'] },
      { op: 'newSession' },
      { op: 'promptExpectError', text: 'fail' },
      hello,
    ]
    const result = await run({
      agent: ['official.mjs'],
      scenario: scenario(steps),
      tempRoot: tempRoot(),
    })
    expect(result.faults).toEqual([])
    expect(result.sessionIds).toHaveLength(1)
  })

  test.each([
    [{ op: 'newSessionExpectError' }, 'session/new was to fail, but answered {"sessionId":'],
    [
      { op: 'promptExpectError', text: 'x' },
      'session/prompt was to fail, but answered {"stopReason":"end_turn"}',
    ],
  ] as [Step, string][])('an expected error that does not come fails', async (step, message) => {
    expect(await faultsOf(['plain.mjs'], [...open, step])).toEqual([
      { kind: 'step-failed', step: 2, op: step.op, message: expect.stringContaining(message) },
    ])
  })

  test('an error that is not expected fails the step and ends the script', async () => {
    const result = await run({
      agent: ['errors.mjs'],
      scenario: scenario([...open, hello, hello]),
      tempRoot: tempRoot(),
    })
    expect(result.stdout).toHaveLength(3)
    expect(result.faults).toEqual([
      {
        kind: 'step-failed',
        step: 2,
        op: 'prompt',
        message: 'session/prompt failed: Internal error: turn failed: no luck (code -32603)',
      },
    ])
    expect(await faultsOf(['errors.mjs'], [...open, { op: 'prompt', text: 'data' }])).toMatchObject(
      [{ message: 'session/prompt failed: denied (code -32000, data {"why":"because"})' }],
    )
  })

  test('a session without an id fails the step', async () => {
    expect(await faultsOf(['errors.mjs', 'nothing'], open)).toMatchObject([
      { step: 1, message: 'session/new answered without a sessionId: {}' },
    ])
  })

  test.each(['prompt', 'promptExpectError', 'promptAndCancel', 'cancel', 'loadSession'] as const)(
    '%s needs a session',
    async (op) => {
      expect(await faultsOf(['plain.mjs'], [{ op, text: 'x' }])).toEqual([
        {
          kind: 'step-failed',
          step: 0,
          op,
          message: 'there is no session; a newSession must come before',
        },
      ])
    },
  )

  test('a restart goes on in the same folders, and the newest session is loaded', async () => {
    const result = await run({
      agent: ['official.mjs'],
      scenario: scenario([
        ...open,
        { op: 'newSession' },
        hello,
        { op: 'restart' },
        { op: 'initialize' },
        { op: 'loadSession' },
        hello,
      ]),
      tempRoot: tempRoot(),
    })
    expect(result.faults).toEqual([])
    expect(result.sessionLogs).toHaveLength(2)
    const updates = result.stdout
      .map((line) => JSON.parse(line))
      .filter((message) => message.method === 'session/update')
    expect(updates.map((message) => message.params.sessionId)).toEqual([
      result.sessionIds[1],
      result.sessionIds[1],
    ])
    expect(result.stderrTail).toBe('meta null\nmeta null\n')
  })

  test('a session that the new process cannot load fails the step', async () => {
    const faults = await faultsOf(
      ['official.mjs'],
      [...open, { op: 'restart' }, { op: 'loadSession' }],
    )
    expect(faults).toMatchObject([
      { kind: 'step-failed', step: 3, message: expect.stringContaining('session/load failed') },
    ])
  })

  test('a cancel without a prompt is sent all the same', async () => {
    expect(await faultsOf(['official.mjs'], [...open, { op: 'cancel' }, hello])).toEqual([])
  })
})

describe('permissions', () => {
  const ask = (permissionAnswers: string[] | undefined, steps: readonly Step[]) =>
    run({
      agent: ['asks.mjs'],
      scenario: scenario(steps, permissionAnswers === undefined ? {} : { permissionAnswers }),
      tempRoot: tempRoot(),
    })

  test('are answered first in, first out', async () => {
    const result = await ask(['reject_once', 'allow_once'], [...open, hello, hello])
    expect(result.faults).toEqual([])
    expect(
      result.stderrTail
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).outcome.optionId),
    ).toEqual(['no', 'yes'])
  })

  test('a request without an answer fails the step', async () => {
    const result = await ask(undefined, [...open, hello, hello])
    expect(result.faults).toEqual([
      {
        kind: 'step-failed',
        step: 2,
        op: 'prompt',
        message:
          'the agent asked for permission (call-1), but permissionAnswers has no answer left; offered: allow_once, reject_once',
      },
    ])
  })

  test('answers that nobody asks for fail the script', async () => {
    const result = await ask(['allow_once', 'reject_once'], [...open, hello])
    expect(result.faults).toEqual([
      {
        kind: 'step-failed',
        step: 2,
        op: 'prompt',
        message: 'permissionAnswers were never asked for: reject_once',
      },
    ])
  })
})
