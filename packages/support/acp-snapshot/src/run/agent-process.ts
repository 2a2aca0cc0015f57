import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'

export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

export interface AgentProcessOptions {
  readonly command: readonly [string, ...string[]]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Nothing more comes until what it returns has resolved. */
  readonly stdout: (chunk: Buffer) => Promise<void> | undefined
  readonly stderr: (chunk: Buffer) => void
}

/** One process of the agent, the leader of its own session and process group. */
export class AgentProcess {
  readonly pid: number
  readonly exited: Promise<Exit>
  /** Every holder of the pipe has let go of it, descendants included. */
  readonly stdoutEnded: Promise<void>
  /** Its stdin takes no more: a write has failed. */
  readonly stdinBroken: Promise<void>
  /** Both outputs have ended and the process has exited. */
  readonly closed: Promise<void>
  private readonly child: ChildProcessWithoutNullStreams

  private constructor(child: ChildProcessWithoutNullStreams, pid: number) {
    this.child = child
    this.pid = pid
    this.exited = new Promise((resolve) => {
      child.once('exit', (code, signal) => resolve({ code, signal }))
    })
    this.stdoutEnded = new Promise((resolve) => {
      child.stdout.once('close', resolve)
    })
    this.stdinBroken = new Promise((resolve) => {
      child.stdin.on('error', () => resolve())
    })
    this.closed = new Promise((resolve) => {
      child.once('close', () => resolve())
    })
  }

  /** @throws the system's error where the program cannot be started */
  static async start(options: AgentProcessOptions): Promise<AgentProcess> {
    const [program, ...args] = options.command
    const child = spawn(program, args, {
      cwd: options.cwd,
      env: options.env,
      detached: true,
      stdio: 'pipe',
    })
    // Output may come in the same tick as the news of the start.
    child.stdout.on('data', (chunk: Buffer) => {
      const taken = options.stdout(chunk)
      if (taken === undefined) return
      child.stdout.pause()
      void taken.then(() => child.stdout.resume())
    })
    child.stderr.on('data', options.stderr)
    if (child.pid === undefined) {
      const [error] = await once(child, 'error')
      throw error
    }
    return new AgentProcess(child, child.pid)
  }

  /** Never throws: a broken pipe shows in `stdinBroken`. */
  write(text: string): void {
    this.child.stdin.write(text)
  }

  endInput(): void {
    this.child.stdin.end()
  }

  /** Sends to the whole group. Only while the leader is there: afterwards its number may be another's. */
  signalGroup(signal: NodeJS.Signals): void {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return
    try {
      process.kill(-this.pid, signal)
    } catch {
      /* v8 ignore next -- the leader is not reaped before its exit is known, so the group exists */
    }
  }

  /** Lets go of the pipes, whoever still holds their other ends. */
  release(): void {
    this.child.stdin.destroy()
    this.child.stdout.destroy()
    this.child.stderr.destroy()
  }
}
