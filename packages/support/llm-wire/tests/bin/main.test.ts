import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Writable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { main } from '../../src/bin/main.ts'
import type { WirePause, WireReport, WireScript } from '../../src/index.ts'
import { ask, post, user } from '../client.ts'
import { ManualClock } from '../clock.ts'

interface Line {
  url?: string
  pause?: WirePause
  report?: WireReport
}

/** Runs the program in this process, on a script in a folder of its own. */
async function run(script: WireScript | string, ...args: string[]) {
  const dir = await mkdtemp(join(tmpdir(), 'wire-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  const file = join(dir, 'wire.json')
  await writeFile(file, typeof script === 'string' ? script : JSON.stringify(script))
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const clock = new ManualClock()
  let signal: () => void = () => undefined
  const exit = main({
    args: [file, ...args.map((arg) => arg.replace('DIR', dir))],
    stdin,
    stdout,
    stderr,
    onSignal: (stop) => {
      signal = stop
    },
    clock,
  })
  onTestFinished(async () => {
    stdin.end()
    stdout.resume()
    await exit
  })
  let unread = ''
  const line = async (): Promise<Line> => {
    while (!unread.includes('\n')) {
      const chunk = stdout.read() as { toString(): string } | null
      if (chunk === null) await new Promise((resolve) => stdout.once('readable', resolve))
      else unread += chunk.toString()
    }
    const [first = '', ...rest] = unread.split('\n')
    unread = rest.join('\n')
    return JSON.parse(first) as Line
  }
  const complaint = (): string => String(stderr.read() ?? '')
  return { dir, file, stdin, stdout, exit, clock, line, complaint, kill: () => signal() }
}

const url = async (program: { line: () => Promise<Line> }): Promise<{ url: string }> => ({
  url: (await program.line()).url!,
})

test('serves until stdin ends, then reports', async () => {
  const script = { rules: [{ when: { lineage: '0' }, answer: { text: 'in {{cwd}}' } }] }
  const args = ['--cwd', '/w', '--session-header', 'x-lane', '--report', 'DIR/report.json']
  const program = await run(script, ...args)
  const answer = await ask(await url(program), [user('x')], { headers: { 'x-lane': '0' } })
  expect(answer.text).toBe('in /w')
  program.stdin.end()
  const { report } = await program.line()
  expect(report).toEqual({
    ok: true,
    served: [{ request: 1, rule: 0, attempt: 1, lineage: '0', outcome: 'completed' }],
    refused: [],
    unused: [],
  })
  expect(await program.exit).toBe(0)
  expect(program.complaint()).toBe('')
  expect(program.clock.pending).toBe(0)
  const written = await readFile(join(program.dir, 'report.json'), 'utf8')
  expect(written).toBe(`${JSON.stringify(report, null, 2)}\n`)
})

test('ends on a signal, and with 1 where something is left', async () => {
  const program = await run({ rules: [{ when: {}, answer: {} }] })
  await program.line()
  program.kill()
  expect(await program.line()).toMatchObject({ report: { unused: [{ rule: 0, used: 0 }] } })
  expect(await program.exit).toBe(1)
})

test('ends with 1 where something was refused, and names the file', async () => {
  const program = await run({ rules: [] })
  const response = await post(await url(program), [user('x')])
  expect(await response.text()).toContain(`no rule of ${program.file} matches`)
  program.stdin.end()
  expect(await program.exit).toBe(1)
})

test('tells of a hold, and releases it when told', async () => {
  const fault = { kind: 'hold' as const, after: 1, name: 'mid' }
  const program = await run({ rules: [{ when: {}, answer: { text: 'a', fault } }] })
  const answer = ask(await url(program), [user('x')])
  expect(await program.line()).toEqual({ pause: { kind: 'hold', name: 'mid', request: 1 } })
  program.stdin.write('{"release": "mid"}\n')
  expect((await answer).text).toBe('a')
  program.stdin.end()
  expect(await program.exit).toBe(0)
})

test('complains of a command that it cannot obey, and goes on', async () => {
  const program = await run({ rules: [] })
  await program.line()
  program.stdin.write('{"release": "x"}\n')
  program.stdin.write('stop\n')
  program.stdin.write('{"release": "x", "when": 1}\n')
  program.stdin.end(`${'x'.repeat(70_000)}\n`)
  expect(await program.exit).toBe(2)
  expect(await program.line()).toMatchObject({ report: { ok: true } })
  const complaint = program.complaint()
  expect(complaint).toContain(
    'dsh-llm-wire: cannot obey {"release": "x"}: the script has no hang or hold named "x"',
  )
  expect(complaint).toContain('cannot obey stop: ')
  expect(complaint).toContain('Unrecognized key')
  expect(complaint).toContain('dsh-llm-wire: a command on stdin is too long\n')
})

test('does not start on a bad script or bad arguments', async () => {
  const bad = await run('{"rules": 1}')
  expect(await bad.exit).toBe(2)
  expect(bad.complaint()).toContain(`dsh-llm-wire: ${bad.file} is not a wire script:\n  rules:`)
  expect(bad.stdout.read()).toBeNull()
  const usage = await run('{"rules": []}', 'more')
  expect(await usage.exit).toBe(2)
  expect(usage.complaint()).toContain('expected one script, got 2\nusage: dsh-llm-wire SCRIPT')
})

test('ends with 2 where the report cannot be written', async () => {
  const program = await run({ rules: [] }, '--report', 'DIR/none/report.json')
  await program.line()
  program.stdin.end()
  expect(await program.exit).toBe(2)
  expect(program.complaint()).toContain('dsh-llm-wire: ENOENT')
})

test('ends where its stdout breaks, and does not wait for a reader that does not read', async () => {
  const broken = await run({ rules: [] })
  await broken.line()
  broken.stdout.destroy(new Error('EPIPE'))
  expect(await broken.exit).toBe(0)

  const stuck = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (chunk.includes('"url"')) done()
    },
  })
  const dir = await mkdtemp(join(tmpdir(), 'wire-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  await writeFile(join(dir, 'wire.json'), '{"rules": []}')
  const clock = new ManualClock()
  const [stdin, stderr] = [new PassThrough(), new PassThrough()]
  const args = [join(dir, 'wire.json')]
  const exit = main({ args, stdin, stdout: stuck, stderr, onSignal: () => undefined, clock })
  stdin.end()
  await expect.poll(() => clock.next).toBe(5000)
  clock.advance(5000)
  expect(await exit).toBe(0)
})
