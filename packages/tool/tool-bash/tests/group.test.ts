import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { isGroupRunning, signalGroup } from '../src/group.ts'
import { tempDir } from './support.ts'

/** A real group, and a folder that says about it what the test wants. */
async function group() {
  const child = spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child, 'spawn')
  const id = child.pid!
  const proc = tempDir()
  const says = (pid: string, text: string): void => {
    mkdirSync(join(proc, pid))
    writeFileSync(join(proc, pid, 'stat'), text)
  }
  return { child, id, proc, says }
}

test('a group that runs, runs; one that has ended does not', async () => {
  const { child, id } = await group()
  expect(isGroupRunning(id)).toBe(true)
  expect(signalGroup(id, 'SIGKILL')).toBe(true)
  await once(child, 'exit')
  expect(isGroupRunning(id)).toBe(false)
  expect(signalGroup(id, 'SIGKILL')).toBe(false)
})

test('ended processes that nobody collects do not run', async () => {
  const { id, proc, says } = await group()
  says('11', `11 (sleep) Z 1 ${id} 0`)
  says('12', `12 (sleep) X 1 ${id} 0`)
  expect(isGroupRunning(id, proc)).toBe(false)
  says('13', `13 (a) Z 1 (b) S 1 ${id} 0`)
  expect(isGroupRunning(id, proc)).toBe(true)
})

test('other groups, other entries and processes that are just going do not count', async () => {
  const { id, proc, says } = await group()
  says('11', `11 (sleep) S ${id} 1 0`)
  says('x1', `12 (sleep) S 1 ${id} 0`)
  says('1x', `12 (sleep) S 1 ${id} 0`)
  mkdirSync(join(proc, '14'))
  expect(isGroupRunning(id, proc)).toBe(false)
})

test('where the system shows no states, whatever can be signalled runs', async () => {
  const { id, proc } = await group()
  expect(isGroupRunning(id, join(proc, 'none'))).toBe(true)
})
