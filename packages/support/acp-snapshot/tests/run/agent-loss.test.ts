import { expect, test } from 'vitest'
import { agentLoss } from '../../src/run/agent-loss.ts'
import type { Exit } from '../../src/run/agent-process.ts'
import { HeldClock } from './held-clock.ts'

function fake() {
  let exit: (exit: Exit) => void = () => {}
  let endStdout: () => void = () => {}
  let breakStdin: () => void = () => {}
  const agent = {
    exited: new Promise<Exit>((resolve) => {
      exit = resolve
    }),
    stdoutEnded: new Promise<void>((resolve) => {
      endStdout = resolve
    }),
    stdinBroken: new Promise<void>((resolve) => {
      breakStdin = resolve
    }),
  }
  return { agent, exit, endStdout, breakStdin }
}

const exit: Exit = { code: 1, signal: null }

test('an exit waits for the end of stdout, so that no answer is lost', async () => {
  const clock = new HeldClock(9)
  const { agent, ...does } = fake()
  let done = false
  const loss = agentLoss(agent, clock, 9).finally(() => {
    done = true
  })
  does.exit(exit)
  await clock.armed(9)
  expect(done).toBe(false)
  does.endStdout()
  expect(await loss).toEqual({ kind: 'exited', exit })
  expect(clock.pending(9)).toBe(0)
})

test('an exit is not held up by a stdout that somebody else keeps open', async () => {
  const clock = new HeldClock(9)
  const { agent, ...does } = fake()
  const loss = agentLoss(agent, clock, 9)
  does.exit(exit)
  await clock.armed(9)
  clock.fire(9)
  expect(await loss).toEqual({ kind: 'exited', exit })
})

test.each(['stdin', 'stdout'] as const)(
  'a %s that closes first is explained by the exit that follows',
  async (stream) => {
    const clock = new HeldClock(9)
    const { agent, ...does } = fake()
    const loss = agentLoss(agent, clock, 9)
    if (stream === 'stdin') does.breakStdin()
    else does.endStdout()
    await clock.armed(9)
    does.exit(exit)
    does.endStdout()
    expect(await loss).toEqual({ kind: 'exited', exit })
  },
)

test.each(['stdin', 'stdout'] as const)('a %s that closes alone is the loss', async (stream) => {
  const clock = new HeldClock(9)
  const { agent, ...does } = fake()
  const loss = agentLoss(agent, clock, 9)
  if (stream === 'stdin') does.breakStdin()
  else does.endStdout()
  await clock.armed(9)
  clock.fire(9)
  expect(await loss).toEqual({ kind: 'closed', stream })
})
