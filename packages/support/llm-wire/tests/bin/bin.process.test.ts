import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { ask, refusal, user } from '../client.ts'

const bin = fileURLToPath(new URL('../../bin.js', import.meta.url))

async function start(rules: unknown[]) {
  const dir = await mkdtemp(join(tmpdir(), 'wire-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  await writeFile(join(dir, 'wire.json'), JSON.stringify({ rules }))
  const child: ChildProcess = spawn(process.execPath, [bin, 'wire.json', '--cwd', dir], {
    cwd: dir,
    env: { PATH: process.env['PATH'] },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const exited = once(child, 'exit') as Promise<[number | null, string | null]>
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]()
  const line = async () => JSON.parse(String((await lines.next()).value)) as Record<string, unknown>
  const { url } = (await line()) as { url: string }
  return { dir, child, url, line, exited }
}

test('the program serves on its own port and ends with its stdin', async () => {
  const server = await start([{ when: {}, answer: { text: 'in {{cwd}}', cut: 1 } }])
  expect(await ask(server, [user('x')])).toMatchObject({ text: `in ${server.dir}` })
  server.child.stdin!.end()
  expect(await server.line()).toMatchObject({ report: { ok: true } })
  expect(await server.exited).toEqual([0, null])
})

test('the program ends on SIGTERM with an open answer, and says what went wrong', async () => {
  const server = await start([
    { when: { lastUser: 'x' }, answer: { fault: { kind: 'hang', after: 1 } } },
  ])
  const hanging = expect(ask(server, [user('x')])).rejects.toThrow('terminated')
  expect(await server.line()).toEqual({ pause: { kind: 'hang', name: 'rule 0', request: 1 } })
  expect(await refusal(server, [user('y')])).toMatchObject({ status: 500, code: 'unscripted' })
  server.child.kill('SIGTERM')
  expect(await server.line()).toMatchObject({
    report: {
      ok: false,
      served: [{ outcome: 'closed' }],
      refused: [{ request: 2, code: 'unscripted' }],
    },
  })
  expect(await server.exited).toEqual([1, null])
  await hanging
})

test('case R4: two programs do not reach each other, and end apart', async () => {
  const [a, b] = await Promise.all([
    start([{ when: {}, answer: { text: 'A' } }]),
    start([{ when: {}, answer: { text: 'B' } }]),
  ])
  expect(a.url).not.toBe(b.url)
  expect(await ask(b, [user('x')])).toMatchObject({ text: 'B' })
  b.child.stdin!.end()
  expect(await b.exited).toEqual([0, null])
  expect(await ask(a, [user('x')])).toMatchObject({ text: 'A' })
  a.child.stdin!.end()
  expect(await a.exited).toEqual([0, null])
})
