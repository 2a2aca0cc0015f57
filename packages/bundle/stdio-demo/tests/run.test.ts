import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Clock, systemClock } from 'dsh-brand'
import type { CoreEvents, StoredLog } from 'dsh-session'
import { describe, expect, it } from 'vitest'
import { logOf, run, ShellProcess, tempDir } from './shell-process.ts'

const endsOf = ({ events }: StoredLog) =>
  events
    .filter((event) => event.type === 'turn/end')
    .map((event) => (event.data as CoreEvents['turn/end']).reason)
const promptsOf = ({ events }: StoredLog) =>
  events
    .filter((event) => event.type === 'user/message')
    .map((event) => (event.data as CoreEvents['user/message']).content)

const SESSION = '[session] ID in DIR\n'

describe('a pipe', () => {
  it('is a prompt per line, one after the other, and its end is the end', async () => {
    const process = new ShellProcess(await tempDir())
    process.stdin.end('ping\n\n  \nping again')
    await run(process)
    expect(process.exits).toEqual([0])
    expect(process.printed()).toBe('PONG\nPONG\n')
    expect(process.said()).toBe(SESSION)
    const { log } = await logOf(process.cwd())
    expect(log.header).toMatchObject({ cwd: process.cwd(), root: 0 })
    expect(promptsOf(log)).toEqual([
      [{ type: 'text', text: 'ping' }],
      [{ type: 'text', text: 'ping again' }],
    ])
    expect(endsOf(log)).toEqual([{ kind: 'completed' }, { kind: 'completed' }])
  })

  it('without a prompt leaves no log', async () => {
    const process = new ShellProcess(await tempDir())
    process.stdin.end()
    await run(process)
    expect([process.exits, process.printed(), process.said()]).toEqual([[0], '', SESSION])
    await expect(logOf(process.cwd())).rejects.toThrow('ENOENT')
  })

  it('goes on after a turn that failed, and tells at the end', async () => {
    const process = new ShellProcess(await tempDir())
    process.stdin.end('fail\nping\n')
    await run(process)
    expect(process.exits).toEqual([1])
    expect(process.printed()).toBe('PONG\n')
    expect(process.said()).toBe(`${SESSION}[error] turn failed: no key\n1 of 2 turns failed\n`)
  })

  it('that fails ends the shell', async () => {
    const process = new ShellProcess(await tempDir())
    const done = run(process)
    await process.hears('[session]')
    process.stdin.destroy(new Error('EIO'))
    await done
    expect([process.exits, process.said()]).toEqual([[1], `${SESSION}EIO\n`])
  })

  it('is not asked, but a terminal is', async () => {
    const process = new ShellProcess(await tempDir())
    process.stdin.isTTY = true
    process.stdin.end('ping\n')
    await run(process)
    expect(process.said()).toBe(`${SESSION}> > `)
  })
})

it('shows calls and results, and nothing of the sessions of others', async () => {
  const process = new ShellProcess(await tempDir())
  process.stdin.end('child\n')
  await run(process)
  expect(process.printed()).toBe('PONG\n')
  expect(process.said()).toBe(`${SESSION}[tool] child: {"of":"it"}\n[ok] did\n`)
})

describe('logs', () => {
  it('are packed where told to, and go on where not', async () => {
    const dir = await tempDir()
    const packing = new ShellProcess(dir)
    packing.stdin.end('ping\n')
    await run(packing, { config: { packChunks: true } })
    const { lines: written, log } = await logOf(dir)
    expect(written.filter((line) => line.startsWith('{"type":"text-chunks"'))).toHaveLength(1)
    expect(written.join()).not.toContain('"text-delta"')

    const process = new ShellProcess(dir, '--resume', log.header.id)
    process.stdin.end('ping again\n')
    await run(process)
    expect([packing.exits, process.exits, process.said()]).toEqual([[0], [0], SESSION])
    expect(process.printed()).toBe('PONG\n')
    const after = await logOf(dir)
    expect(after.lines.slice(0, written.length)).toEqual(written)
    expect(after.lines.slice(written.length).join()).not.toContain('text-chunks')
    expect(promptsOf(after.log)).toHaveLength(2)
    expect(after.log.events.slice(0, log.events.length)).toEqual(log.events)
  })

  it('are resumed in the folder that they belong to', async () => {
    const dir = await tempDir()
    const first = new ShellProcess(dir)
    first.stdin.end('ping\n')
    await run(first)
    const { log } = await logOf(dir)
    const elsewhere = new ShellProcess(await tempDir(), '--resume', log.header.id)
    elsewhere.stdin.end()
    await run(elsewhere, { config: { sessionsRoot: join(dir, 'sessions') } })
    expect(elsewhere.exits).toEqual([0])
    expect(elsewhere.said()).toBe(`[session] ID in ${dir}\n`)
  })

  it('that cannot be written end the shell', async () => {
    const process = new ShellProcess(await tempDir())
    await writeFile(join(process.cwd(), 'sessions'), '')
    process.stdin.end('ping\nping again\n')
    await run(process)
    expect(process.exits).toEqual([1])
    expect(process.said()).toContain('DIR/sessions')
    expect(process.printed()).toBe('PONG\n')
  })

  it('that are not there are refused', async () => {
    const process = new ShellProcess(await tempDir(), '--resume', 'gone')
    await run(process)
    expect(process.exits).toEqual([1])
    expect(process.said()).toBe('there is no stored session "gone"\n')
  })
})

it('refuses arguments before it boots anything', async () => {
  const process = new ShellProcess(await tempDir(), '--reset')
  process.env['DSH_SNAPSHOT'] = 'never looked at'
  await run(process)
  expect(process.exits).toEqual([1])
  expect(process.said()).toMatch(/^Unknown option '--reset'[\s\S]*\nusage: /)
})

describe('Ctrl-C', () => {
  it('cancels the running turn, each turn anew, and ends the shell when idle', async () => {
    const process = new ShellProcess(await tempDir())
    process.stdin.isTTY = true
    const done = run(process)
    for (const asked of ['> ', '[cancelled]\n> ']) {
      await process.hears(asked)
      process.stdin.write('hang\n')
      await new Promise((resolve) => process.stdout.once('readable', resolve))
      expect(process.printed()).toBe('Well')
      process.emit('SIGINT')
      await new Promise((resolve) => process.stdout.once('readable', resolve))
      expect(process.printed()).toBe('\n')
    }
    await process.hears('[cancelled]\n> [cancelled]\n> ')
    expect(process.exits).toEqual([])
    process.emit('SIGINT')
    await done
    expect(process.exits).toEqual([0])
    expect(process.listening()).toBe(0)
    const { log } = await logOf(process.cwd())
    const cancelled = { kind: 'aborted', reason: 'Ctrl-C' }
    expect(endsOf(log)).toEqual([cancelled, cancelled])
  })

  it('twice ends the shell, within a bound, where the turn does not listen', async () => {
    const bounds: (() => void)[] = []
    const clock: Clock = {
      ...systemClock,
      after(_ms, fire) {
        bounds.push(fire)
        return () => undefined
      },
    }
    const process = new ShellProcess(await tempDir())
    process.stdin.write('deaf\nping\n')
    const done = run(process, { clock })
    await process.hears('[tool] deaf\n')
    process.emit('SIGINT')
    expect([process.stdin.destroyed, bounds]).toEqual([false, []])
    process.emit('SIGINT')
    expect(process.stdin.destroyed).toBe(true)
    while (bounds.length === 0) await new Promise((resolve) => setImmediate(resolve))
    bounds[0]?.()
    await done
    expect(process.exits).toEqual([1])
    expect(process.said()).toMatch(/\nthe running turns did not end within 10000 ms/)
  })
})

describe('SIGTERM', () => {
  it('ends the running turn in order, and runs no other', async () => {
    const process = new ShellProcess(await tempDir())
    process.stdin.write('hang\nping\n')
    const done = run(process)
    await new Promise((resolve) => process.stdout.once('readable', resolve))
    process.emit('SIGTERM')
    await done
    expect(process.exits).toEqual([0])
    expect(process.printed()).toBe('Well\n')
    expect(process.said()).toBe(`${SESSION}[ended] before the answer was complete\n`)
    const { log } = await logOf(process.cwd())
    expect(endsOf(log)).toEqual([{ kind: 'disposed' }])
  })
})

it('a reader that goes ends the running turn in order, and is told of', async () => {
  const process = new ShellProcess(await tempDir())
  process.stdin.write('hang\nping\n')
  const done = run(process)
  await new Promise((resolve) => process.stdout.once('readable', resolve))
  process.stdout.destroy(new Error('write EPIPE'))
  await done
  expect(process.exits).toEqual([1])
  expect(process.said()).toMatch(/\nwrite EPIPE\n$/)
  const { log } = await logOf(process.cwd())
  expect(endsOf(log)).toEqual([{ kind: 'disposed' }])
})
