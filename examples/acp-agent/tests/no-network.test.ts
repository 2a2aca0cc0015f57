import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { harvestSessionLogs, loadScenario, runScenario } from 'dsh-acp-snapshot'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const AGENT = fileURLToPath(new URL('../bin.js', import.meta.url))
const SCENARIO = fileURLToPath(new URL('snapshots/tool-call-turn', import.meta.url))

/** A trace needs strace and the right to use it; both are a matter of the machine. */
const canTrace = spawnSync('strace', ['-qq', '-o', '/dev/null', 'true']).status === 0
if (!canTrace) process.stderr.write('no-network: skipped, strace cannot run here\n')

let dir: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'dsh-trace-'))
})
afterEach(() => rm(dir, { recursive: true }))

/** Every socket that the agent or a descendant of it asked for, by its system call. */
async function sockets(
  mode: 'replay' | 'record',
  env: Readonly<Record<string, string>>,
): Promise<{ readonly internet: string[]; readonly commands: number; readonly faults: unknown }> {
  const trace = join(dir, 'trace')
  const command = [
    'strace',
    '-f',
    '-qq',
    '-e',
    'trace=socket,execve',
    '-o',
    trace,
    process.execPath,
    AGENT,
  ] as const
  const scenario = await loadScenario(SCENARIO)
  const result = await runScenario(
    { scenario, agent: { command, env }, mode },
    { harvest: harvestSessionLogs },
  )
  await result.dispose()
  const lines = (await readFile(trace, 'utf8')).split('\n')
  return {
    internet: lines.filter((line) => /socket\(AF_INET6?,/.test(line)),
    commands: lines.filter((line) => line.includes('"printf ready"')).length,
    faults: result.faults,
  }
}

describe.skipIf(!canTrace)('replay opens no internet socket', () => {
  it.each([
    ['case R6: no key is set', {}],
    ['case R6: a key is set', { DEEPSEEK_API_KEY: 'sk-0123456789abcdef0123456789abcdef' }],
    [
      'case R6: a wrong key and an endpoint are set',
      { DEEPSEEK_API_KEY: 'wrong', DEEPSEEK_BASE_URL: 'http://127.0.0.1:8080' },
    ],
  ])('when %s', async (_name, env) => {
    const traced = await sockets('replay', env)
    expect(traced).toEqual({ internet: [], commands: expect.any(Number), faults: [] })
    // The command of the recording did run, under the same trace.
    expect(traced.commands).toBeGreaterThan(0)
  })

  it('and the trace would show one: a live call has it', async () => {
    let asked = 0
    const endpoint = createServer((_request, response) => {
      asked += 1
      response.writeHead(401).end()
    })
    endpoint.listen(0, '127.0.0.1')
    await once(endpoint, 'listening')
    const { port } = endpoint.address() as AddressInfo
    const env = { DEEPSEEK_API_KEY: 'wrong', DEEPSEEK_BASE_URL: `http://127.0.0.1:${port}` }
    const traced = await sockets('record', env)
    endpoint.close()
    expect(asked).toBe(1)
    expect(traced.internet).not.toEqual([])
    expect(traced.faults).toMatchObject([{ kind: 'step-failed' }])
  })
})
