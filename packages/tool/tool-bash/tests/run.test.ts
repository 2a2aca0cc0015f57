import { spawn } from 'node:child_process'
import { EventEmitter, getEventListeners, once } from 'node:events'
import { expect, test } from 'vitest'
import {
  DRAIN_MS,
  KILL_GRACE_MS,
  POLL_MS,
  type RunRequest,
  runProcess,
  type Spawn,
} from '../src/run.ts'
import { endWithTest, gone, isRunning, ManualClock, shell, tempDir } from './support.ts'

const LIMIT = 60_000

/** Starts a run and waits for its first output, which is the pid that the command prints. */
async function started(request: RunRequest) {
  const children: ReturnType<Spawn>[] = []
  const start: Spawn = (...args) => {
    const child = spawn(...args)
    children.push(child)
    return child
  }
  const end = runProcess(request, start)
  end.catch(() => undefined)
  const child = children[0]!
  const [chunk] = (await once(child.stdout ?? child, 'data')) as [Uint8Array]
  const pid = Number(Buffer.from(chunk).toString().trim())
  endWithTest(pid)
  return { end, pid, child }
}

const aborted = { name: 'ToolError', code: 'ABORTED', message: 'the command was cancelled' }

test('collects both streams and the exit code', async () => {
  const clock = new ManualClock()
  const end = await runProcess(shell('echo out; echo err >&2; exit 3', clock))
  expect(end).toEqual({ stdout: 'out\n', stderr: 'err\n', exitCode: 3, signal: null })
  expect(clock.pending).toEqual([])
})

test('runs in its folder, with its environment alone, with no input, in a group of its own', async () => {
  const cwd = tempDir()
  const command = 'pwd; echo "$HOME-$A"; cat; ps -o pgid= -p $$ | tr -d " "; echo $$'
  const { stdout } = await runProcess({
    ...shell(command),
    cwd,
    env: { PATH: process.env['PATH'] as string, A: 'a' },
  })
  const [folder, variables, group, pid] = stdout.split('\n')
  expect([folder, variables]).toEqual([cwd, '-a'])
  expect(group).toBe(pid)
})

test('reads all output of a command that has ended', async () => {
  const { stdout } = await runProcess(shell('head -c 51200 /dev/zero | tr "\\0" x'))
  expect(stdout).toBe('x'.repeat(51_200))
})

test('a signal that ends a command is told', async () => {
  const end = await runProcess(shell('kill -9 $$'))
  expect(end).toEqual({ stdout: '', stderr: '', exitCode: null, signal: 'SIGKILL' })
})

test('the time limit ends the whole group', async () => {
  const clock = new ManualClock()
  const { end, pid } = await started(shell('sleep 1000 & echo $!; wait', clock))
  expect(clock.pending).toEqual([LIMIT])
  clock.fire(LIMIT)
  expect(await end).toEqual({
    stdout: `${pid}\n`,
    stderr: '',
    exitCode: null,
    signal: 'SIGTERM',
    timedOutMs: LIMIT,
  })
  expect(isRunning(pid)).toBe(false)
  expect(clock.pending).toEqual([])
})

test('a command may end in its own way when its time is up', async () => {
  const clock = new ManualClock()
  const { end } = await started(
    shell('trap "echo bye; exit 7" TERM; echo $$; while :; do sleep 0.01; done', clock),
  )
  clock.fire(LIMIT)
  expect(await end).toMatchObject({ exitCode: 7, signal: null, timedOutMs: LIMIT })
  expect((await end).stdout).toMatch(/\nbye\n$/)
})

test('one that ignores SIGTERM is killed three seconds later', async () => {
  const clock = new ManualClock()
  const { end, pid } = await started(
    shell('trap "" TERM; echo $$; while :; do sleep 1; done', clock),
  )
  clock.fire(LIMIT)
  expect(isRunning(pid)).toBe(true)
  expect(KILL_GRACE_MS).toBe(3000)
  clock.fire(KILL_GRACE_MS)
  expect(await end).toMatchObject({ exitCode: null, signal: 'SIGKILL', timedOutMs: LIMIT })
  expect(clock.pending).toEqual([])
})

const stubborn = `sh -c 'trap "" TERM; echo $$; exec sleep 1000' & wait`

test('a member of the group that outlives its leader is killed too', async () => {
  const clock = new ManualClock()
  const { end, pid } = await started(shell(stubborn, clock))
  clock.fire(LIMIT)
  await clock.armed(DRAIN_MS)
  clock.fire(DRAIN_MS)
  await new Promise(setImmediate)
  expect(isRunning(pid)).toBe(true)
  clock.fire(KILL_GRACE_MS)
  expect(await end).toMatchObject({ signal: 'SIGTERM', timedOutMs: LIMIT })
  expect(clock.pending).toEqual([])
  await gone(pid)
})

test('a member that ends in time is not waited for any longer', async () => {
  const clock = new ManualClock([])
  const { end, pid } = await started(shell(stubborn, clock))
  clock.fire(LIMIT)
  await clock.armed(DRAIN_MS)
  clock.fire(DRAIN_MS)
  await clock.armed(POLL_MS)
  clock.fire(POLL_MS)
  expect(clock.pending).toEqual([KILL_GRACE_MS, POLL_MS])
  process.kill(pid, 'SIGKILL')
  await gone(pid)
  clock.fire(POLL_MS)
  expect(await end).toMatchObject({ signal: 'SIGTERM', timedOutMs: LIMIT })
  expect(clock.pending).toEqual([])
})

test('a background child that holds the pipe delays the answer by a second at most, and lives on', async () => {
  const clock = new ManualClock()
  const { end, pid, child } = await started(shell('sleep 1000 & echo $!', clock))
  await clock.armed(DRAIN_MS)
  expect(DRAIN_MS).toBe(1000)
  expect(clock.pending).toEqual([DRAIN_MS])
  clock.fire(DRAIN_MS)
  expect(await end).toEqual({ stdout: `${pid}\n`, stderr: '', exitCode: 0, signal: null })
  expect(isRunning(pid)).toBe(true)
  expect([child.stdout?.destroyed, child.stderr?.destroyed]).toEqual([true, true])
})

test('a background child that holds no pipe delays nothing', async () => {
  const clock = new ManualClock()
  const { end, pid } = await started(shell('sleep 1000 >/dev/null 2>&1 & echo $!', clock))
  expect((await end).exitCode).toBe(0)
  expect(isRunning(pid)).toBe(true)
})

test('what a background child writes within that second is part of the answer', async () => {
  const clock = new ManualClock()
  const fifo = `${tempDir()}/go`
  const command = `mkfifo ${fifo}; (read -r < ${fifo}; echo late) & echo $!`
  const { end, child } = await started(shell(command, clock))
  await clock.armed(DRAIN_MS)
  const late = once(child, 'close')
  await runProcess(shell(`echo > ${fifo}`))
  await late
  expect((await end).stdout).toMatch(/^\d+\nlate\n$/)
})

test('an aborted signal starts nothing', async () => {
  const start = (): never => {
    throw new Error('started')
  }
  const request = { ...shell('true'), signal: AbortSignal.abort() }
  await expect(runProcess(request, start)).rejects.toMatchObject(aborted)
})

test('an abort ends the group and rejects', async () => {
  const clock = new ManualClock()
  const { signal, abort } = abortable()
  const { end, pid } = await started({ ...shell('sleep 1000 & echo $!; wait', clock), signal })
  abort()
  await expect(end).rejects.toMatchObject(aborted)
  expect(isRunning(pid)).toBe(false)
  expect(clock.pending).toEqual([])
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

test('an abort while the time limit is being carried out counts as an abort', async () => {
  const clock = new ManualClock()
  const { signal, abort } = abortable()
  const { end } = await started({
    ...shell('trap "" TERM; echo $$; while :; do sleep 1; done', clock),
    signal,
  })
  clock.fire(LIMIT)
  abort()
  expect(clock.pending).toEqual([KILL_GRACE_MS])
  clock.fire(KILL_GRACE_MS)
  await expect(end).rejects.toMatchObject(aborted)
})

test('a time limit during an abort changes nothing', async () => {
  const clock = new ManualClock()
  const { signal, abort } = abortable()
  const { end } = await started({
    ...shell('trap "" TERM; echo $$; while :; do sleep 1; done', clock),
    signal,
  })
  abort()
  clock.fire(LIMIT)
  expect(clock.pending).toEqual([KILL_GRACE_MS])
  clock.fire(KILL_GRACE_MS)
  await expect(end).rejects.toMatchObject(aborted)
})

test('an abort while only a background child is left ends that child', async () => {
  const clock = new ManualClock()
  const { signal, abort } = abortable()
  const { end, pid } = await started({ ...shell('sleep 1000 & echo $!', clock), signal })
  await clock.armed(DRAIN_MS)
  abort()
  await expect(end).rejects.toMatchObject(aborted)
  expect(isRunning(pid)).toBe(false)
})

test('lets go of the signal when a command ends by itself', async () => {
  const { signal } = abortable()
  await runProcess({ ...shell('true'), signal })
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

test('a program that does not exist is SPAWN_FAILED', async () => {
  const clock = new ManualClock()
  const request = { ...shell('true', clock), file: 'no-such-program' }
  await expect(runProcess(request)).rejects.toMatchObject({
    name: 'ToolError',
    code: 'SPAWN_FAILED',
    message: 'cannot start no-such-program: ENOENT',
  })
  expect(clock.pending).toEqual([])
})

test('so is a command that is too long for the system', async () => {
  await expect(runProcess(shell(`true ${'x'.repeat(3_000_000)}`))).rejects.toMatchObject({
    code: 'SPAWN_FAILED',
    message: 'cannot start bash: E2BIG',
  })
})

/** A process that nothing ends; nothing that a test may start survives SIGKILL, so it is played. */
function immortal() {
  const calls: string[] = []
  const child = Object.assign(new EventEmitter(), { unref: () => calls.push('unref') })
  return { calls, child, start: (() => child) as unknown as Spawn }
}

test('a process that nothing ends is given up in the end', async () => {
  const clock = new ManualClock()
  const { calls, child, start } = immortal()
  const end = runProcess(shell('true', clock), start)
  clock.fire(LIMIT)
  clock.fire(KILL_GRACE_MS)
  expect(calls).toEqual([])
  clock.fire(KILL_GRACE_MS)
  expect(await end).toEqual({
    stdout: '',
    stderr: '',
    exitCode: null,
    signal: 'SIGKILL',
    timedOutMs: LIMIT,
  })
  expect(calls).toEqual(['unref'])
  child.emit('exit', 0, null)
  child.emit('close')
  expect(clock.pending).toEqual([])
  expect(calls).toEqual(['unref'])
})

test('what ends while it is being killed is told as it ended', async () => {
  const clock = new ManualClock()
  const { child, start } = immortal()
  const end = runProcess(shell('true', clock), start)
  clock.fire(LIMIT)
  child.emit('exit', 9, null)
  child.emit('close')
  expect(await end).toMatchObject({ exitCode: 9, signal: null, timedOutMs: LIMIT })
})

function abortable(): { readonly signal: AbortSignal; readonly abort: () => void } {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}
