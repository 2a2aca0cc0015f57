import { EventEmitter } from 'node:events'
import { expect } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { AGENT } from '../tier/example.ts'

/** What a command sees of its process, and all that it says there. */
export class FakeHost extends EventEmitter {
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly stdout: { write: (text: string) => void }
  readonly stderr: { write: (text: string) => void }
  out = ''
  err = ''
  readonly dir: string

  constructor(args: readonly string[], env: Readonly<Record<string, string>>, dir: string) {
    super()
    this.argv = ['node', 'dsh-acp-snapshot', ...args]
    this.env = env
    this.dir = dir
    this.stdout = { write: (text) => void (this.out += text) }
    this.stderr = { write: (text) => void (this.err += text) }
  }

  cwd(): string {
    return this.dir
  }

  exit(): void {
    throw new Error('a second signal')
  }
}

export const AGENT_FLAG = ['--agent', JSON.stringify([process.execPath, AGENT])]

/** Runs a command, which has to leave no listener behind. */
export async function run(args: readonly string[], env = {}, dir = '/') {
  const host = new FakeHost(args, env, dir)
  const code = await main(host)
  expect(
    host.listenerCount('SIGINT') + host.listenerCount('SIGTERM') + host.listenerCount('SIGHUP'),
  ).toBe(0)
  return { code, out: host.out, err: host.err }
}
