import { execFile } from 'node:child_process'
import { runVariable } from './environment.ts'
import {
  killProcess,
  type ProcessDetails,
  type ProcessEntry,
  type ProcessTable,
} from './process-table.ts'

/** The output of `ps` with these arguments; "" where it finds nothing or fails. */
export type RunPs = (args: readonly string[]) => Promise<string>

/**
 * For macOS, written from its manual and not yet tried there. It does not tell a cwd, and tells the
 * environment only of processes of the same user.
 */
export function psProcessTable(ps: RunPs = runPs): ProcessTable {
  return {
    async list() {
      const text = await ps(['-axo', 'pid=,ppid=,pgid=,stat=,lstart='])
      return text.split('\n').flatMap(parseRow)
    },
    async inspect(pid): Promise<ProcessDetails | undefined> {
      const which = ['-o', 'command=', '-p', String(pid)]
      const command = (await ps(['-ww', ...which])).trim()
      if (command === '') return undefined
      const environment = await ps(['-wwE', ...which])
      const run = new RegExp(`(?:^|\\s)${runVariable}=(\\S+)`).exec(environment.trim())?.[1]
      return { command, run, cwd: undefined }
    },
    kill: killProcess,
  }
}

function parseRow(row: string): ProcessEntry[] {
  const [pid, parent, group, state, ...started] = row.trim().split(/\s+/)
  if (state === undefined || state.startsWith('Z')) return []
  return [
    {
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      session: 0,
      started: started.join(' '),
    },
  ]
}

const runPs: RunPs = (args) =>
  new Promise((resolve) => {
    execFile('ps', [...args], { timeout: 5_000, maxBuffer: 16 * 1024 * 1024 }, (_error, stdout) =>
      resolve(stdout),
    )
  })
