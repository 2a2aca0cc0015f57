import type { AnyMessage } from '@agentclientprotocol/sdk'
import { type Clock, messageOf } from 'dsh-brand'
import { AcpClient } from './acp-client.ts'
import { endAgent } from './agent-end.ts'
import { agentLoss, type Loss } from './agent-loss.ts'
import { AgentProcess } from './agent-process.ts'
import { atExit } from './at-exit.ts'
import type { Descendants } from './descendants.ts'
import type { RunLimits } from './limits.ts'
import type { PermissionAnswers } from './permissions.ts'
import type { StderrCapture } from './stderr-capture.ts'
import type { StdoutCapture } from './stdout-capture.ts'
import { type RunStop, Stopped } from './stop.ts'
import type { RunFault } from './types.ts'
import { settlesWithin } from './wait.ts'

export interface AgentHostOptions {
  readonly command: readonly [string, ...string[]]
  readonly cwd: string
  /** Of the process that starts now. */
  readonly env: () => Readonly<Record<string, string>>
  readonly stdout: StdoutCapture
  readonly stderr: StderrCapture
  readonly permissions: PermissionAnswers
  readonly descendants: Descendants
  readonly stop: RunStop
  readonly clock: Clock
  readonly limits: RunLimits
}

interface Running {
  readonly process: AgentProcess
  readonly client: AcpClient
  /** It has ended, so nothing is left to be done should we exit. */
  readonly gone: () => void
  /** Its end is wanted from here on, so it is no fault. */
  expected: boolean
}

/** The agent of a run, over all its processes: at most one at a time. */
export class AgentHost {
  private readonly options: AgentHostOptions
  private running: Running | undefined

  constructor(options: AgentHostOptions) {
    this.options = options
  }

  /** The connection to the process that runs now. @throws Stopped where none does */
  get client(): AcpClient {
    /* v8 ignore next -- steps run only between a start and an end */
    if (this.running === undefined) throw new Stopped()
    return this.running.client
  }

  /** A message of the agent, for the connection that runs now. */
  deliver(message: AnyMessage): void {
    this.running?.client.deliver(message)
  }

  /** @throws Stopped where the run is stopped, be it because the agent cannot be started */
  async start(): Promise<void> {
    if (this.options.stop.signal.aborted) throw new Stopped()
    const { stop, stdout, stderr, permissions } = this.options
    const { command, cwd, env } = this.options
    let process: AgentProcess
    try {
      process = await AgentProcess.start({
        command,
        cwd,
        env: env(),
        stdout: (chunk) => stdout.write(chunk),
        stderr: (chunk) => stderr.write(chunk),
      })
    } catch (error) {
      stop.stop({ kind: 'agent-not-started', message: `${command[0]}: ${messageOf(error)}` })
      throw new Stopped()
    }
    this.options.descendants.addAgent(process.pid)
    const client = new AcpClient((line) => process.write(line), permissions)
    const gone = atExit(() => process.signalGroup('SIGKILL'))
    const running: Running = { process, client, gone, expected: false }
    this.running = running
    void this.watch(running)
  }

  /**
   * Ends the process and everything that it started, and takes in what it still had to say. What is
   * wrong with the way it ends is noted, unless the run was stopped before. Bounded.
   */
  async end(): Promise<void> {
    const { running } = this
    if (running === undefined) return
    const { stop, stdout, descendants, clock, limits } = this.options
    const { process } = running
    running.expected = true
    const wasStopped = stop.signal.aborted
    let byItself = false
    try {
      await descendants.observe()
    } finally {
      byItself = await endAgent(process, clock, limits, stop.hurry)
    }
    const left = await descendants.end()
    if (left.length > 0) stop.note({ kind: 'descendants-left', processes: left })
    await this.drained(process)
    process.release()
    // A line that was cut off by us is no fault of the agent's.
    stdout.endProcess(byItself && !stop.hurry.aborted)
    running.client.close()
    running.gone()
    this.running = undefined
    if (wasStopped || stop.hurry.aborted) return
    const fault = byItself ? await failedExit(process) : slowExit(limits)
    if (fault !== undefined) stop.note(fault)
  }

  /** What it said last is still on its way; as long as it comes, it is waited for. */
  private async drained(process: AgentProcess): Promise<void> {
    const { stop, stdout, clock, limits } = this.options
    let seen: number
    do {
      seen = stdout.lines.length
      if (await settlesWithin(process.closed, clock, limits.drainMs, stop.hurry)) return
    } while (stdout.lines.length > seen)
  }

  private async watch(running: Running): Promise<void> {
    const { stop, clock, limits } = this.options
    const loss = await agentLoss(running.process, clock, limits.drainMs)
    if (!running.expected) onLoss(loss, stop)
  }
}

async function failedExit(process: AgentProcess): Promise<RunFault | undefined> {
  const exit = await process.exited
  if (exit.code === 0) return undefined
  return { kind: 'agent-exited', ...exit, during: 'its exit after the end of its stdin' }
}

function slowExit(limits: RunLimits): RunFault {
  return {
    kind: 'timeout',
    afterMs: limits.exitGraceMs,
    waitingFor: 'the agent to exit after the end of its stdin',
  }
}

function onLoss(loss: Loss, stop: RunStop): void {
  if (loss.kind === 'closed') {
    stop.failStep(`the agent closed its ${loss.stream}, but goes on running`)
    return
  }
  stop.stop({ kind: 'agent-exited', ...loss.exit, during: stop.waitingFor })
}
