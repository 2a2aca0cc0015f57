import { readdir, readFile, readlink } from 'node:fs/promises'
import path from 'node:path'
import { runVariable } from './environment.ts'
import {
  killProcess,
  type ProcessDetails,
  type ProcessEntry,
  type ProcessTable,
} from './process-table.ts'

/** Reads `/proc`. `root` is for tests. */
export function linuxProcessTable(root: string = '/proc'): ProcessTable {
  const read = (pid: number | string, file: string): Promise<string | undefined> =>
    readFile(path.join(root, String(pid), file), 'utf8').catch(unlessGone)
  return {
    async list() {
      const names = await readdir(root)
      const stats = await Promise.all(
        names.filter((name) => /^\d+$/.test(name)).map((name) => read(name, 'stat')),
      )
      return stats.flatMap((stat) => (stat === undefined ? [] : parseStat(stat)))
    },
    async inspect(pid): Promise<ProcessDetails | undefined> {
      const command = await read(pid, 'cmdline')
      if (command === undefined) return undefined
      return {
        command: command.split('\0').join(' ').trim(),
        run: runOf(await read(pid, 'environ')),
        cwd: await readlink(path.join(root, String(pid), 'cwd')).catch(unlessGone),
      }
    },
    kill: killProcess,
  }
}

/** The second field is the program's name in brackets, which may itself hold brackets and blanks. */
function parseStat(stat: string): ProcessEntry[] {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state, parent, group, session] = fields
  const started = fields[19]
  if (started === undefined || state === 'Z' || state === 'X') return []
  return [
    {
      pid: Number.parseInt(stat, 10),
      parent: Number(parent),
      group: Number(group),
      session: Number(session),
      started,
    },
  ]
}

function runOf(environ: string | undefined): string | undefined {
  const prefix = `${runVariable}=`
  return environ
    ?.split('\0')
    .find((line) => line.startsWith(prefix))
    ?.slice(prefix.length)
}

/** Gone, or another user's. Any other error is the harness's own trouble, and must not hide one. */
const gone = new Set(['ENOENT', 'ESRCH', 'EACCES', 'EPERM'])

function unlessGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== undefined && gone.has(error.code)) return undefined
  throw error
}
