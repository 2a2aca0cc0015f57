import { type Clock, messageOf, systemClock } from 'dsh-brand'
import { atExit } from './at-exit.ts'
import { createRunFolder, pathAliases, removeFolder, removeFolderNow } from './folder.ts'
import { defaultLimits, type RunLimits } from './limits.ts'
import { ReportFollower } from './report-follower.ts'
import { runAgent } from './run-agent.ts'
import { RunStop } from './stop.ts'
import type { HarvestedLog, RunDependencies, RunFolder, RunOptions, RunResult } from './types.ts'

/**
 * Runs one scenario against a real agent process and captures all that it says and writes. What goes
 * wrong with the agent is a fault in the result; it rejects only where the harness itself cannot
 * work (no temp folder, a disk that is full), and then leaves no process and no folder behind.
 */
export async function runScenario(
  options: RunOptions,
  dependencies: RunDependencies,
): Promise<RunResult> {
  const folder = await createRunFolder(options.tempRoot, options.scenario.workspaceDir)
  const release = atExit(() => removeFolderNow(folder.dir))
  try {
    const result = await runIn(folder, options, dependencies)
    if (result.faults.some((fault) => fault.kind === 'interrupted')) await result.dispose()
    return result
  } catch (error) {
    await removeFolder(folder.dir)
    throw error
  } finally {
    release()
  }
}

async function runIn(
  folder: RunFolder,
  options: RunOptions,
  dependencies: RunDependencies,
): Promise<RunResult> {
  const clock = dependencies.clock ?? systemClock
  const limits: RunLimits = { ...defaultLimits, ...dependencies.limits }
  const stop = new RunStop()
  const began = clock.monotonic()
  const cwdAliases = await pathAliases(folder.cwd)
  const report = new ReportFollower(folder.reportFile, limits.reportBytes)
  const release = interruptible(stop, options.signal)
  try {
    const said = await withModel(folder, options, dependencies, (options) =>
      runAgent({ folder, options, dependencies, clock, limits, stop, report }),
    )
    await finishReport(report, stop)
    const sessionLogs = await harvested(dependencies, folder, stop, clock, limits, options.signal)
    return {
      scenario: options.scenario.name,
      mode: options.mode,
      folder,
      cwdAliases,
      ...said,
      sessionLogs,
      report: report.records,
      faults: stop.faults,
      durationMs: Math.round(clock.monotonic() - began),
      dispose: () => removeFolder(folder.dir),
    }
  } finally {
    release()
  }
}

/** The model is there before the agent starts and goes after it has ended. */
async function withModel<T>(
  folder: RunFolder,
  options: RunOptions,
  { model }: RunDependencies,
  run: (options: RunOptions) => Promise<T>,
): Promise<T> {
  if (model === undefined) return run(options)
  const host = await model(folder)
  const { agent } = options
  try {
    return await run({ ...options, agent: { ...agent, env: { ...agent.env, ...host.env } } })
  } finally {
    await host.end()
  }
}

/** @returns what lets go of the signal */
function interruptible(stop: RunStop, signal: AbortSignal | undefined): () => void {
  const onAbort = (): void => stop.stop({ kind: 'interrupted' })
  signal?.addEventListener('abort', onAbort)
  if (signal?.aborted === true) onAbort()
  return () => signal?.removeEventListener('abort', onAbort)
}

async function finishReport(report: ReportFollower, stop: RunStop): Promise<void> {
  try {
    await report.finish()
  } catch (error) {
    if (stop.faults.some((fault) => fault.kind === 'report-unreadable')) return
    stop.note({ kind: 'report-unreadable', message: messageOf(error) })
  }
}

async function harvested(
  dependencies: RunDependencies,
  folder: RunFolder,
  stop: RunStop,
  clock: Clock,
  { harvestMs }: RunLimits,
  interrupt: AbortSignal | undefined,
): Promise<readonly HarvestedLog[]> {
  const bound = new AbortController()
  const expired = `they were not collected within ${harvestMs} ms`
  const disarm = clock.after(harvestMs, () => bound.abort(expired), { keepAlive: true })
  const onInterrupt = (): void => bound.abort()
  interrupt?.addEventListener('abort', onInterrupt)
  if (interrupt?.aborted === true) onInterrupt()
  const { signal } = bound
  try {
    return await orAbort(dependencies.harvest(folder.sessionsRoot, signal), signal)
  } catch (error) {
    if (!stop.interrupted) stop.note({ kind: 'harvest-failed', message: messageOf(error) })
    return []
  } finally {
    disarm()
    interrupt?.removeEventListener('abort', onInterrupt)
  }
}

/** The outcome of `work`, unless `signal` aborts first: then its reason. */
function orAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason)
    signal.addEventListener('abort', onAbort)
    work.then(resolve, reject)
    if (signal.aborted) onAbort()
  })
}
