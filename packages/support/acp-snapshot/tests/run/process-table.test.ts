import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { killProcess } from '../../src/run/process-table.ts'
import { linuxProcessTable } from '../../src/run/process-table-linux.ts'
import { psProcessTable } from '../../src/run/process-table-ps.ts'
import { systemProcessTable } from '../../src/run/process-table-system.ts'
import { useTempDir } from './harness.ts'

const temp = useTempDir()

async function startSleep(env: Record<string, string>): Promise<number> {
  const child = spawn('/bin/sleep', ['600.5'], {
    cwd: temp(),
    env,
    detached: true,
    stdio: 'ignore',
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  await once(child, 'spawn')
  return child.pid ?? 0
}

const stat = (pid: number, name: string, state: string): string =>
  `${pid} (${name}) ${state} 10 20 30 ${'0 '.repeat(15)}4711 0 0\n`

async function fakeProc(files: Record<string, string>): Promise<string> {
  const root = path.join(temp(), 'proc')
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(root, name)), { recursive: true })
    await writeFile(path.join(root, name), text)
  }
  return root
}

describe('linux', () => {
  test('reads what runs, whatever its name', async () => {
    const root = await fakeProc({
      '1/stat': stat(1, 'a) R 1 (b', 'S'),
      '2/stat': stat(2, 'zombie', 'Z'),
      '3/stat': stat(3, 'dead', 'X'),
      '4/status': 'ended between two looks',
      '5/stat': '5 (torn) S 1',
      'self/stat': stat(9, 'self', 'S'),
    })
    expect(await linuxProcessTable(root).list()).toEqual([
      { pid: 1, parent: 10, group: 20, session: 30, started: '4711' },
    ])
  })

  test('reads what a process shows, and leaves out what it does not', async () => {
    const root = await fakeProc({
      '1/cmdline': 'node\0a b.js\0',
      '1/environ': 'A=1\0XDSH_SNAPSHOT_RUN=no\0DSH_SNAPSHOT_RUN=run=1\0B=2\0',
      '2/cmdline': '',
      '3/cmdline': 'x\0',
      '3/environ': 'A=1\0',
    })
    await symlink('/somewhere', path.join(root, '1/cwd'))
    const table = linuxProcessTable(root)
    expect(await table.inspect(1)).toEqual({
      command: 'node a b.js',
      run: 'run=1',
      cwd: '/somewhere',
    })
    expect(await table.inspect(2)).toEqual({ command: '', run: undefined, cwd: undefined })
    expect(await table.inspect(3)).toEqual({ command: 'x', run: undefined, cwd: undefined })
    expect(await table.inspect(4)).toBeUndefined()
  })

  test('trouble of its own is not taken for an ended process', async () => {
    const root = await fakeProc({ '1/stat/folder': '', '1/cmdline/folder': '', '2/cmdline': 'x\0' })
    await mkdir(path.join(root, '2/cwd'))
    await expect(linuxProcessTable(root).list()).rejects.toMatchObject({ code: 'EISDIR' })
    await expect(linuxProcessTable(root).inspect(1)).rejects.toMatchObject({ code: 'EISDIR' })
    await expect(linuxProcessTable(root).inspect(2)).rejects.toMatchObject({ code: 'EINVAL' })
  })

  test.runIf(process.platform === 'linux')('finds and ends a real process', async () => {
    const table = systemProcessTable()
    const pid = await startSleep({ DSH_SNAPSHOT_RUN: 'real' })
    const entry = (await table.list()).find((each) => each.pid === pid)
    expect(entry).toMatchObject({ parent: process.pid, group: pid, session: pid })
    expect(await table.inspect(pid)).toEqual({
      command: '/bin/sleep 600.5',
      run: 'real',
      cwd: temp(),
    })
    table.kill(pid)
    while ((await table.list()).some((each) => each.pid === pid));
    table.kill(pid)
  })
})

describe('ps', () => {
  const texts: Record<string, string> = {
    '-axo pid=,ppid=,pgid=,stat=,lstart=':
      '    1     0     1 Ss   Mon Jul  6 10:00:00 2026    \n   77     1    76 R+   Mon Jul  6 10:00:01 2026\n   78     1    76 Z    Mon Jul  6 10:00:01 2026\n\n',
    '-ww -o command= -p 77': 'node agent.js --flag\n',
    '-wwE -o command= -p 77': 'node agent.js --flag PATH=/bin DSH_SNAPSHOT_RUN=run-1 TZ=UTC\n',
    '-ww -o command= -p 1': 'launchd\n',
    '-wwE -o command= -p 1': 'launchd XDSH_SNAPSHOT_RUN=no\n',
  }
  const table = psProcessTable(async (args) => texts[args.join(' ')] ?? '')

  test('reads its rows', async () => {
    expect(await table.list()).toEqual([
      { pid: 1, parent: 0, group: 1, session: 0, started: 'Mon Jul 6 10:00:00 2026' },
      { pid: 77, parent: 1, group: 76, session: 0, started: 'Mon Jul 6 10:00:01 2026' },
    ])
  })

  test('reads what a process shows', async () => {
    expect(await table.inspect(77)).toEqual({
      command: 'node agent.js --flag',
      run: 'run-1',
      cwd: undefined,
    })
    expect(await table.inspect(1)).toEqual({ command: 'launchd', run: undefined, cwd: undefined })
    expect(await table.inspect(5)).toBeUndefined()
  })

  test('asks the real program', async () => {
    const real = systemProcessTable('darwin')
    expect(await real.list()).toContainEqual(
      expect.objectContaining({ pid: process.pid, parent: process.ppid }),
    )
    expect((await real.inspect(process.pid))?.command).toContain('node')
  })
})

test('ending one that has ended is no error', () => {
  // Above any number that a system gives out.
  expect(() => killProcess(2 ** 30)).not.toThrow()
})
