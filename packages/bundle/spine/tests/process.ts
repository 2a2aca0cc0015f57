import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import type { RunnerProcess } from '../src/index.ts'

export class FakeProcess extends EventEmitter implements RunnerProcess {
  readonly env: Record<string, string | undefined>
  readonly stdin = new PassThrough()
  readonly stdout = new PassThrough()
  readonly stderr = new PassThrough({ encoding: 'utf8' })
  readonly exits: number[] = []

  constructor(env: Record<string, string | undefined> = {}) {
    super()
    this.env = env
  }

  exit(code: number): void {
    this.exits.push(code)
  }

  said(): string {
    return (this.stderr.read() as string | null) ?? ''
  }

  listening(): number {
    return this.listenerCount('SIGINT') + this.listenerCount('SIGTERM')
  }
}
