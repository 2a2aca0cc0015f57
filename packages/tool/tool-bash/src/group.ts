import { readdirSync, readFileSync } from 'node:fs'

/** Signals a process group. @returns whether there was anything to signal. */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal)
  } catch {
    return false
  }
}

/**
 * Whether anything in the group still runs. Where the system shows process states, processes that
 * have ended do not count: without an init that collects them they would stay for ever.
 * @param proc where process states are.
 */
export function isGroupRunning(group: number, proc = '/proc'): boolean {
  if (!signalGroup(group, 0)) return false
  const pids = processesIn(proc)
  return pids === undefined || pids.some((pid) => runsInGroup(`${proc}/${pid}/stat`, group))
}

function processesIn(proc: string): string[] | undefined {
  try {
    return readdirSync(proc).filter((name) => /^\d+$/.test(name))
  } catch {
    return undefined
  }
}

function runsInGroup(stat: string, group: number): boolean {
  try {
    // "pid (name) state parent group …", where the name may hold anything.
    const text = readFileSync(stat, 'utf8')
    const [state, , member] = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return Number(member) === group && state !== 'Z' && state !== 'X'
  } catch {
    return false
  }
}
