import { afterEach, expect, test, vi } from 'vitest'
import { AgentProcess } from '../../src/run/agent-process.ts'
import { useTempDir } from './harness.ts'

const temp = useTempDir()

afterEach(() => {
  vi.restoreAllMocks()
})

const start = (...command: [string, ...string[]]): Promise<AgentProcess> =>
  AgentProcess.start({ command, cwd: temp(), env: {}, stdout: () => {}, stderr: () => {} })

test('the number of a process that has ended is not signalled: it may be another’s', async () => {
  const exits = await start('/bin/sh', '-c', 'exit 3')
  expect(await exits.exited).toEqual({ code: 3, signal: null })
  const killed = await start('/bin/cat')
  killed.signalGroup('SIGKILL')
  expect(await killed.exited).toEqual({ code: null, signal: 'SIGKILL' })
  const kill = vi.spyOn(process, 'kill')
  exits.signalGroup('SIGTERM')
  killed.signalGroup('SIGTERM')
  expect(kill).not.toHaveBeenCalled()
})

test('the whole group is signalled', async () => {
  const agent = await start('/bin/sh', '-c', 'sleep 600 & wait')
  agent.signalGroup('SIGKILL')
  await agent.closed
})

test('lets go of pipes that somebody else holds', async () => {
  const chunks: Buffer[] = []
  const agent = await AgentProcess.start({
    command: ['/bin/sh', '-c', 'sleep 600 & echo $!'],
    cwd: temp(),
    env: {},
    stdout: (chunk) => {
      chunks.push(chunk)
      return undefined
    },
    stderr: () => {},
  })
  await agent.exited
  agent.release()
  await agent.closed
  process.kill(Number(Buffer.concat(chunks).toString()), 'SIGKILL')
})
