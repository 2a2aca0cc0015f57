import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'

/** What the system tells about processes. Tests bring their own. */
export interface ProcessProbe {
  readonly host: string
  readonly pid: number
  /**
   * Looks at a process of this machine: undefined where there is none any more, else when it was
   * started, in whatever unit, and empty where the system does not tell.
   */
  started(pid: number): string | undefined
}

/**
 * Names this process so that another can tell later whether it still runs: `<host>:<pid>:<start>`.
 * A number alone does not do: numbers are given again, in containers the same ones every time.
 */
export function processMark(probe: ProcessProbe = systemProbe): string {
  return `${probe.host}:${probe.pid}:${probe.started(probe.pid) ?? ''}`
}

/**
 * Whether the process that a mark names may still run. One on another machine cannot be asked, and
 * what is no mark says nothing: both may.
 */
export function mayRun(mark: string, probe: ProcessProbe = systemProbe): boolean {
  const { host, pid, start } = partsOf(mark) ?? {}
  if (pid === undefined || host !== probe.host) return true
  const found = probe.started(pid)
  if (found === undefined) return false
  return found === '' || start === '' || found === start
}

/** A mark in words. */
export function describeMark(mark: string): string {
  const parts = partsOf(mark)
  return parts === undefined ? 'an unknown process' : `process ${parts.pid} on ${parts.host}`
}

function partsOf(mark: string): { host: string; pid: number; start: string } | undefined {
  const [, host, pid, start = ''] = /^([^:]+):(\d+)(?::([^:]*))?$/.exec(mark) ?? []
  return host === undefined ? undefined : { host, pid: Number(pid), start }
}

/** Asks `/proc` where there is one, and the kernel by a signal that is none. */
export function processProbe(root: string, exists: (pid: number) => boolean): ProcessProbe {
  return {
    host: hostname(),
    pid: process.pid,
    started(pid) {
      const stat = readText(`${root}/${pid}/stat`)
      // Without `/proc`, or where it hides the processes of others.
      if (stat === undefined) return exists(pid) ? '' : undefined
      // The second field is the program's name in brackets, which may hold brackets and blanks.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      // One that has ended and is not collected yet holds nothing.
      if (fields[0] === 'Z' || fields[0] === 'X') return undefined
      // In ticks since the machine started.
      return `${readText(`${root}/sys/kernel/random/boot_id`)?.slice(0, 8) ?? ''}.${fields[19]}`
    },
  }
}

const systemProbe = processProbe('/proc', (pid) => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // One that we may not signal is there all the same.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
})

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
