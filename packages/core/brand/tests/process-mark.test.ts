import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  describeMark,
  mayRun,
  processMark,
  type ProcessProbe,
  processProbe,
} from '../src/process-mark.ts'

const probe = (started: (pid: number) => string | undefined): ProcessProbe => ({
  host: 'here',
  pid: 42,
  started,
})

describe('a mark', () => {
  test('names host, process and start', () => {
    expect(processMark(probe((pid) => `s${pid}`))).toBe('here:42:s42')
    expect(processMark(probe(() => undefined))).toBe('here:42:')
    expect(describeMark('here:42:s42')).toBe('process 42 on here')
    expect(describeMark('who knows')).toBe('an unknown process')
  })

  test.each<[string, string, string | undefined, boolean]>([
    ['the same process', 'here:42:s1', 's1', true],
    ['another of its number', 'here:42:s1', 's2', false],
    ['none', 'here:42:s1', undefined, false],
    ['one whose start is not told', 'here:42:s1', '', true],
    ['one, and the mark has no start', 'here:42:', 's2', true],
    ['one, and the mark ends early', 'here:42', 's2', true],
    ['none, and the mark ends early', 'here:42', undefined, false],
    ['none, but on another machine', 'there:42:s1', undefined, true],
    ['none, but it is no mark', 'here:x:s1', undefined, true],
  ])('where there is %s', (_, mark, started, expected) => {
    const asked: number[] = []
    const running = mayRun(
      mark,
      probe((pid) => {
        asked.push(pid)
        return started
      }),
    )
    expect(running).toBe(expected)
    expect(asked.every((pid) => pid === 42)).toBe(true)
  })
})

describe('the system', () => {
  test('knows this process, and that another has ended', async () => {
    expect(processMark()).toMatch(new RegExp(`^${hostname()}:${process.pid}:`))
    expect(mayRun(processMark())).toBe(true)
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
    expect(mayRun(`${hostname()}:${child.pid}:`)).toBe(true)
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(mayRun(`${hostname()}:${child.pid}:`)).toBe(false)
    expect(mayRun(`${hostname()}:${spawnSync(process.execPath, ['-v']).pid}`)).toBe(false)
  })

  test('counts one that may not be signalled as running', () => {
    const kill = vi.spyOn(process, 'kill').mockImplementation(() => {
      throw Object.assign(new Error('no'), { code: 'EPERM' })
    })
    onTestFinished(() => kill.mockRestore())
    const gone = 2 ** 30
    expect(mayRun(`${hostname()}:${gone}`)).toBe(true)
    expect(kill).toHaveBeenCalledWith(gone, 0)
  })

  function proc(files: Readonly<Record<string, string>>): string {
    const root = mkdtempSync(join(tmpdir(), 'dsh-proc-'))
    onTestFinished(() => rmSync(root, { recursive: true }))
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(root, path, '..'), { recursive: true })
      writeFileSync(join(root, path), text)
    }
    return root
  }
  const stat = (state: string, start: number) =>
    `7 (odd) name) ${state} ${Array.from({ length: 18 }, (_, at) => at).join(' ')} ${start} 0`

  test('tells a start by the machine’s start and the process’s', () => {
    const root = proc({ '7/stat': stat('S', 1234), 'sys/kernel/random/boot_id': '0123456789ab' })
    const { started } = processProbe(root, () => false)
    expect(started(7)).toBe('01234567.1234')
    expect(started(8)).toBeUndefined()
  })

  test('takes one that waits to be collected for ended', () => {
    for (const state of ['Z', 'X']) {
      const root = proc({ '7/stat': stat(state, 1) })
      expect(processProbe(root, () => true).started(7)).toBeUndefined()
    }
  })

  test('asks the kernel where nothing can be read', () => {
    const { started } = processProbe(proc({}), (pid) => pid === 7)
    expect([started(7), started(8)]).toEqual(['', undefined])
    expect(processProbe(proc({ '7/stat': stat('S', 1) }), () => true).started(7)).toBe('.1')
  })
})
