import { realpath } from 'node:fs/promises'
import type { AnyMessage } from '@agentclientprotocol/sdk'
import { type Clock, systemIds } from 'dsh-brand'
import { AgentHost } from './agent-host.ts'
import { Descendants } from './descendants.ts'
import { agentEnvironment } from './environment.ts'
import { HangGate } from './hang-gate.ts'
import { defaultTimeoutMs, type RunLimits } from './limits.ts'
import { OutputFile } from './output-file.ts'
import { PermissionAnswers } from './permissions.ts'
import { systemProcessTable } from './process-table-system.ts'
import type { ReportFollower } from './report-follower.ts'
import { Sessions } from './sessions.ts'
import { StderrCapture } from './stderr-capture.ts'
import { StdoutCapture } from './stdout-capture.ts'
import { runSteps } from './steps.ts'
import { type RunStop, Stopped } from './stop.ts'
import type { RunDependencies, RunFault, RunFolder, RunOptions, RunResult } from './types.ts'

export interface RunAgentInput {
  readonly folder: RunFolder
  readonly options: RunOptions
  readonly dependencies: RunDependencies
  readonly clock: Clock
  readonly limits: RunLimits
  readonly stop: RunStop
  readonly report: ReportFollower
}

/** What the agent said, and to whom. */
export type Said = Pick<RunResult, 'stdout' | 'stderrTail' | 'notices' | 'sessionIds'>

/**
 * From the first process of the agent to the end of the last, descendants included. What goes wrong
 * with the agent is among the faults of `stop`.
 */
export async function runAgent(input: RunAgentInput): Promise<Said> {
  const { folder, options, dependencies, clock, limits, stop } = input
  const { scenario, mode, agent, rules = [] } = options
  const runId = (dependencies.ids ?? systemIds).uuid()
  const descendants = await Descendants.begin({
    table: dependencies.processes ?? systemProcessTable(),
    runId,
    dir: await realpath(folder.dir),
    clock,
    limits,
    self: process.pid,
  })
  const hostEnv = dependencies.hostEnv ?? process.env
  const output = openOutput(input, (message) => host.deliver(message))
  const permissions = new PermissionAnswers(scenario.input.permissionAnswers ?? [], (message) =>
    stop.failStep(message),
  )
  const sessions = new Sessions()
  const host: AgentHost = new AgentHost({
    command: agent.command,
    cwd: folder.cwd,
    env: () => {
      const roots = sessions.ids.length
      return agentEnvironment({ scenario, mode, folder, runId, roots, agent, rules, hostEnv })
    },
    ...output,
    permissions,
    descendants,
    stop,
    clock,
    limits,
  })
  try {
    await runScript(input, host, sessions, permissions)
  } finally {
    try {
      await host.end()
    } finally {
      await output.close()
    }
  }
  return {
    stdout: output.stdout.lines,
    stderrTail: output.stderr.tail(),
    notices: output.stderr.notices(),
    sessionIds: sessions.ids,
  }
}

interface Output {
  readonly stdout: StdoutCapture
  readonly stderr: StderrCapture
  readonly close: () => Promise<void>
}

function openOutput(input: RunAgentInput, message: (message: AnyMessage) => void): Output {
  const { folder, limits, stop } = input
  const stdoutFile = new OutputFile(folder.stdoutFile)
  const stderrFile = new OutputFile(folder.stderrFile)
  const flood = (fault: RunFault): void => stop.stop(fault)
  const fault = (fault: RunFault): void => stop.note(fault)
  return {
    stdout: new StdoutCapture(stdoutFile, limits, { message, fault, flood }, stop.hurry),
    stderr: new StderrCapture(stderrFile, limits, flood),
    close: async () => {
      await Promise.all([stdoutFile.close(), stderrFile.close()])
    },
  }
}

async function runScript(
  input: RunAgentInput,
  host: AgentHost,
  sessions: Sessions,
  permissions: PermissionAnswers,
): Promise<void> {
  const { folder, options, clock, limits, stop, report } = input
  const { scenario } = options
  const afterMs = scenario.input.timeoutMs ?? options.timeoutMs ?? defaultTimeoutMs
  const expire = (): void => {
    stop.stop({ kind: 'timeout', afterMs, waitingFor: stop.waitingFor })
  }
  const disarm = clock.after(afterMs, expire, { keepAlive: true })
  try {
    const replay = options.mode === 'replay'
    const points = replay ? await input.dependencies.hangPoints?.(scenario) : undefined
    await host.start()
    const hangs = new HangGate(points, report, clock, limits.pollMs)
    await runSteps(
      { host, stop, sessions, cwd: folder.cwd, hangs, clock, limits },
      scenario.input.steps,
    )
    if (permissions.left.length > 0) {
      stop.failStep(`permissionAnswers were never asked for: ${permissions.left.join(', ')}`)
    }
    stop.leave()
  } catch (error) {
    if (!(error instanceof Stopped)) throw error
  } finally {
    disarm()
  }
}
