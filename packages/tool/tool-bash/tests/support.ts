import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brandString, type Clock } from 'dsh-brand'
import type { ToolCallContext, ToolOutcome } from 'dsh-tools'
import { expect, onTestFinished } from 'vitest'
import { POLL_MS, type RunRequest } from '../src/run.ts'

interface Timer {
  readonly ms: number
  readonly run: () => void
}

/** A clock whose timers fire when a test says so. */
export class ManualClock implements Clock {
  private readonly timers = new Set<Timer>()
  private readonly waiting = new Set<() => void>()
  private readonly automatic: readonly number[]

  /** @param automatic delays of timers that fire as soon as the event loop comes round. */
  constructor(automatic: readonly number[] = [POLL_MS]) {
    this.automatic = automatic
  }

  now(): number {
    return 0
  }

  monotonic(): number {
    return 0
  }

  after(ms: number, run: () => void, options?: { readonly keepAlive?: boolean }): () => void {
    // The wait is what the process is there for; a timer that lets it end would lose the answer.
    expect(options?.keepAlive).toBe(true)
    if (this.automatic.includes(ms)) {
      const immediate = setImmediate(run)
      return () => clearImmediate(immediate)
    }
    const timer = { ms, run }
    this.timers.add(timer)
    for (const check of this.waiting) check()
    return () => void this.timers.delete(timer)
  }

  /** The delays of the timers that are set, in the order in which they were set. */
  get pending(): number[] {
    return Array.from(this.timers, ({ ms }) => ms)
  }

  /** Resolves once a timer of this delay is set. */
  armed(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const check = (): void => {
        if (!this.pending.includes(ms)) return
        this.waiting.delete(check)
        resolve()
      }
      this.waiting.add(check)
      check()
    })
  }

  /** Fires the timer of this delay that was set first. */
  fire(ms: number): void {
    const timer = Array.from(this.timers).find((candidate) => candidate.ms === ms)
    if (timer === undefined)
      throw new Error(`no timer of ${ms} ms; there are ${this.pending.join(', ')}`)
    this.timers.delete(timer)
    timer.run()
  }
}

export function tempDir(): string {
  const dir = mkdtempSync(join(realpathSync(tmpdir()), 'dsh-bash-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

/** A run of a shell command that stays far from all limits. */
export function shell(command: string, clock: Clock = new ManualClock()): RunRequest {
  return {
    file: 'bash',
    args: ['-c', command],
    cwd: '/',
    env: { PATH: process.env['PATH'] as string },
    timeoutMs: 60_000,
    signal: new AbortController().signal,
    clock,
  }
}

/** Whether a process runs; one that has ended and was not collected yet does not. */
export function isRunning(pid: number): boolean {
  try {
    if (!existsSync('/proc/self')) return process.kill(pid, 0)
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/** Resolves once a process has ended. */
export async function gone(pid: number): Promise<void> {
  while (isRunning(pid)) await new Promise(setImmediate)
}

/** Ends a process that a test left behind on purpose. */
export function endWithTest(pid: number): void {
  onTestFinished(() => {
    if (isRunning(pid)) process.kill(pid, 'SIGKILL')
  })
}

export function contextIn(cwd: string, signal: AbortSignal, clock: Clock): ToolCallContext {
  const refuse = (): never => {
    throw new Error('the bash tool appends nothing')
  }
  const id = brandString<'SessionId'>('s')
  return {
    session: {
      id,
      cwd,
      header: { type: 'session', version: 0, id, createdAt: 0 },
      events: [],
      append: refuse,
      history: refuse,
    },
    cwd,
    turn: 1,
    step: 1,
    call: 0,
    callId: 'c',
    signal,
    clock,
  }
}

export function textOf(outcome: ToolOutcome): string {
  return outcome.content.map((block) => (block.type === 'text' ? block.text : '')).join('')
}
