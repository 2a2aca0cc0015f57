import { expect, test } from 'vitest'
import { NetworkIsolation } from '../src/network.ts'
import type { CommandEnd } from '../src/render.ts'
import { type RunRequest, runProcess } from '../src/run.ts'
import { ManualClock, shell } from './support.ts'

const MAP = ['unshare', '--map-current-user', '-n']
const ROOT = ['unshare', '-rn']

/** Runs only the forms that work here. */
function machine(...working: readonly (readonly string[])[]) {
  const requests: RunRequest[] = []
  const run = (request: RunRequest): Promise<CommandEnd> => {
    requests.push(request)
    const form = [request.file, ...request.args.slice(0, -1)].join(' ')
    const works = working.some((other) => other.join(' ') === form)
    return Promise.resolve({ stdout: '', stderr: '', exitCode: works ? 0 : 1, signal: null })
  }
  return { requests, run }
}

const context = { cwd: '/w', env: { PATH: '/bin' }, clock: new ManualClock() }
const noWarning = (message: string): void => {
  throw new Error(message)
}

test('prefers the form that keeps the user id, and asks once', async () => {
  const { requests, run } = machine(MAP, ROOT)
  const isolation = new NetworkIsolation(run)
  const both = [isolation.prefix(context, noWarning), isolation.prefix(context, noWarning)]
  expect(await Promise.all(both)).toEqual([MAP, MAP])
  expect(await isolation.prefix(context, noWarning)).toEqual(MAP)
  expect(requests).toHaveLength(1)
  expect(requests[0]).toMatchObject({
    ...context,
    file: 'unshare',
    args: ['--map-current-user', '-n', 'true'],
    timeoutMs: 5000,
  })
})

test('else takes the older one', async () => {
  const { requests, run } = machine(ROOT)
  expect(await new NetworkIsolation(run).prefix(context, noWarning)).toEqual(ROOT)
  expect(requests.map(({ args }) => args)).toEqual([
    ['--map-current-user', '-n', 'true'],
    ['-rn', 'true'],
  ])
})

test('where neither works says so once', async () => {
  const isolation = new NetworkIsolation(machine().run)
  const warnings: string[] = []
  const warn = (message: string): void => void warnings.push(message)
  expect(await isolation.prefix(context, warn)).toEqual([])
  expect(await isolation.prefix(context, warn)).toEqual([])
  expect(warnings).toEqual([
    'commands keep their network: this system does not let unshare make a network namespace',
  ])
})

test('a program that cannot be started is one that does not work', async () => {
  const clock = new ManualClock()
  const env = { PATH: '/none' }
  const warnings: string[] = []
  const isolation = new NetworkIsolation(runProcess)
  const prefix = await isolation.prefix({ cwd: '/', env, clock }, (text) => warnings.push(text))
  expect(prefix).toEqual([])
  expect(warnings).toHaveLength(1)
  expect(clock.pending).toEqual([])
})

test('what is found really cuts the network off', async (test) => {
  const warnings: string[] = []
  const request = shell('cat /proc/net/dev; id -u')
  const isolation = new NetworkIsolation(runProcess)
  const prefix = await isolation.prefix(request, (text) => warnings.push(text))
  test.skip(prefix.length === 0, 'this system offers no network namespaces')
  const [file, ...args] = [...prefix, request.file, ...request.args]
  const end = await runProcess({ ...request, file: file ?? '', args })
  const interfaces = [...end.stdout.matchAll(/^ *([^ ]+):/gm)].map((match) => match[1])
  expect(interfaces).toEqual(['lo'])
})
