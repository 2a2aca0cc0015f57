import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { type Clock, eventLoopTurn } from 'dsh-brand'
import { ToolError } from 'dsh-tools'
import { isGroupRunning, signalGroup } from './group.ts'
import type { CommandEnd } from './render.ts'
import { TailBuffer } from './tail.ts'

/** How long a process group may take to end after SIGTERM, and the kernel after SIGKILL. */
export const KILL_GRACE_MS = 3000
/** How long output may go on after the command itself has ended, where a child still holds the pipe. */
export const DRAIN_MS = 1000
/** How often a group that was told to end is looked at, once its leader and its output are gone. */
export const POLL_MS = 25

export interface RunRequest {
  readonly file: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Record<string, string>
  readonly timeoutMs: number
  readonly signal: AbortSignal
  readonly clock: Clock
}

/** `spawn` of node:child_process, as far as it is used. */
export type Spawn = (file: string, args: readonly string[], options: SpawnOptions) => ChildProcess

/**
 * Runs one process in a group of its own and waits for it, its output and, where it had to be ended,
 * its whole group. Always settles: a group that is told to end is killed after a grace, and pipes
 * that a surviving child keeps open are let go.
 * @throws ToolError `SPAWN_FAILED`, and `ABORTED` once the signal has aborted.
 */
export function runProcess(request: RunRequest, start: Spawn = spawn): Promise<CommandEnd> {
  return new Promise((resolve, reject) => {
    if (request.signal.aborted) {
      reject(aborted())
      return
    }
    const child = launch(request, start)
    new Run(request, child, resolve, reject).begin()
  })
}

function launch(request: RunRequest, start: Spawn): ChildProcess {
  const { file, args, cwd, env } = request
  try {
    return start(file, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  } catch (error) {
    throw spawnFailed(file, error)
  }
}

class Run {
  private readonly stdout = new TailBuffer()
  private readonly stderr = new TailBuffer()
  private readonly cancels = new Set<() => void>()
  private exit: { readonly code: number | null; readonly signal: string | null } | undefined
  private closed = false
  private why: 'timeout' | 'abort' | undefined
  private killed = false
  private settled = false
  private readonly request: RunRequest
  private readonly child: ChildProcess
  private readonly resolve: (end: CommandEnd) => void
  private readonly reject: (error: Error) => void

  constructor(
    request: RunRequest,
    child: ChildProcess,
    resolve: (end: CommandEnd) => void,
    reject: (error: Error) => void,
  ) {
    this.request = request
    this.child = child
    this.resolve = resolve
    this.reject = reject
  }

  begin(): void {
    const { child, request } = this
    const cancelTimeout = this.after(request.timeoutMs, () => this.end('timeout'))
    child.stdout?.on('data', (chunk: Buffer) => this.stdout.push(chunk))
    child.stderr?.on('data', (chunk: Buffer) => this.stderr.push(chunk))
    child.once('error', (error) => {
      this.settle(() => this.reject(spawnFailed(request.file, error)))
    })
    child.once('exit', (code, signal) => {
      // One that was given up may end after all.
      if (this.settled) return
      this.exit = { code, signal }
      // The limit is for the command; what it left in the background has only the pipes to lose.
      cancelTimeout()
      // Read once more before letting go: what is in the pipe by now belongs to the output.
      this.after(DRAIN_MS, () => void eventLoopTurn().then(() => this.giveUpOnPipes()))
    })
    child.once('close', () => {
      this.closed = true
      this.advance()
    })
    request.signal.addEventListener('abort', this.onAbort)
  }

  private readonly onAbort = (): void => this.end('abort')

  /** Ends the group: politely, then not. */
  private end(why: 'timeout' | 'abort'): void {
    const ending = this.why !== undefined
    // Whoever cancels wants no answer, whether the time had run out or not.
    if (this.why !== 'abort') this.why = why
    if (ending) return
    this.kill('SIGTERM')
    this.after(KILL_GRACE_MS, () => {
      this.kill('SIGKILL')
      this.killed = true
      this.after(KILL_GRACE_MS, () => this.finish())
    })
  }

  private giveUpOnPipes(): void {
    this.closed = true
    this.advance()
  }

  private advance(): void {
    if (this.exit === undefined || !this.closed) return
    // Members of a group that is being ended may outlive its leader; SIGKILL is still due for them.
    if (this.why !== undefined && !this.killed && this.isRunning()) {
      this.after(POLL_MS, () => this.advance())
      return
    }
    this.finish()
  }

  private finish(): void {
    this.settle(() => {
      if (this.why === 'abort') {
        this.reject(aborted())
        return
      }
      const timedOut = this.why === 'timeout' ? { timedOutMs: this.request.timeoutMs } : {}
      this.resolve({
        stdout: this.stdout.text(),
        stderr: this.stderr.text(),
        exitCode: this.exit?.code ?? null,
        // A process that not even SIGKILL ended has been told so all the same.
        signal: this.exit === undefined ? 'SIGKILL' : this.exit.signal,
        ...timedOut,
      })
    })
  }

  private settle(report: () => void): void {
    if (this.settled) return
    this.settled = true
    for (const cancel of this.cancels) cancel()
    this.request.signal.removeEventListener('abort', this.onAbort)
    this.child.stdout?.destroy()
    this.child.stderr?.destroy()
    this.child.unref()
    report()
  }

  private after(ms: number, run: () => void): () => void {
    const cancel = this.request.clock.after(ms, run, { keepAlive: true })
    this.cancels.add(cancel)
    return cancel
  }

  private kill(signal: NodeJS.Signals): void {
    const { pid } = this.child
    if (pid !== undefined) signalGroup(pid, signal)
  }

  private isRunning(): boolean {
    const { pid } = this.child
    return pid !== undefined && isGroupRunning(pid)
  }
}

function aborted(): ToolError {
  return new ToolError('ABORTED', 'the command was cancelled')
}

function spawnFailed(file: string, error: unknown): ToolError {
  const code = (error as { code?: unknown }).code
  return new ToolError('SPAWN_FAILED', `cannot start ${file}: ${String(code)}`, { cause: error })
}
