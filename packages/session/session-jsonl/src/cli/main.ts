import { parseArgs } from 'node:util'
import { messageOf } from 'dsh-brand'
import { type LogLayout, SessionError } from 'dsh-session'
import { hasCode } from '../file-system.ts'
import { type CheckReport, checkLog, describeCheck } from './check.ts'
import { convertLog } from './convert.ts'
import { type CliHost, EXIT, type ExitCode, STDIN } from './host.ts'
import { rewriteFile } from './rewrite.ts'
import { bytesOf } from './source.ts'
import { writeAll } from './write-all.ts'

const USAGE = `dsh-session check [--json] [FILE …]    say whether logs can be loaded, and what loading would repair
dsh-session pack [FILE]                write a log with packed chunk rows to standard output
dsh-session unpack [FILE]              write it with one event a line
dsh-session pack --write FILE …        rewrite logs in place; unpack too

Without FILE, or where it is -, standard input is read.
Exit codes: 0 sound or done, 1 loading would repair the log, 2 wrong usage or unreadable file,
3 the log cannot be loaded. Of several logs the worst decides.
`

const OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  json: { type: 'boolean' },
  write: { type: 'boolean', short: 'w' },
} as const

class UsageError extends Error {}

/** Runs one command line and resolves with its exit code. Never rejects. */
export async function main(host: CliHost): Promise<ExitCode> {
  // Every write tells its own failure; unheard, the event would end the process.
  host.stdout.on('error', () => undefined)
  // There is nowhere left to say anything; the exit code still tells.
  host.stderr.on?.('error', () => undefined)
  try {
    const { values, positionals } = parseArgs({
      args: host.argv.slice(2),
      options: OPTIONS,
      allowPositionals: true,
    })
    if (values.help === true) {
      await writeAll(host.stdout, [USAGE])
      return EXIT.sound
    }
    return await dispatch(host, positionals, values)
  } catch (error) {
    // Whoever reads the output may have seen enough.
    if (hasCode(error, 'EPIPE')) return EXIT.sound
    host.stderr.write(`${messageOf(error)}\n`)
    return EXIT.failed
  }
}

interface Flags {
  readonly json?: boolean | undefined
  readonly write?: boolean | undefined
}

function dispatch(
  host: CliHost,
  [command, ...files]: readonly string[],
  flags: Flags,
): Promise<ExitCode> {
  switch (command) {
    case 'check':
      refuse(flags.write, 'check changes nothing; --write belongs to pack and unpack')
      return check(host, files.length === 0 ? [STDIN] : files, flags.json === true)
    case 'pack':
    case 'unpack':
      refuse(flags.json, '--json belongs to check')
      return flags.write === true ? rewrite(host, command, files) : print(host, command, files)
    default: {
      const problem = command === undefined ? 'no command given' : `unknown command "${command}"`
      throw new UsageError(`${problem}; commands: check, pack, unpack (see --help)`)
    }
  }
}

function refuse(flag: boolean | undefined, why: string): void {
  if (flag === true) throw new UsageError(why)
}

const CODE_OF = { sound: EXIT.sound, repairable: EXIT.repairable, corrupt: EXIT.corrupt }

async function check(host: CliHost, files: readonly string[], json: boolean): Promise<ExitCode> {
  return eachFile(host, files, async (file) => {
    const report: CheckReport = await checkLog(file, bytesOf(host, file))
    const lines = json ? [JSON.stringify(report)] : describeCheck(report)
    await writeAll(host.stdout, [lines.map((line) => `${line}\n`).join('')])
    return CODE_OF[report.verdict]
  })
}

async function print(
  host: CliHost,
  layout: LogLayout,
  files: readonly string[],
): Promise<ExitCode> {
  const [file = STDIN, ...more] = files
  if (more.length > 0) {
    throw new UsageError(`${layout} writes one log to standard output; for several use --write`)
  }
  return eachFile(host, [file], async () => {
    await writeAll(host.stdout, convertLog(file, bytesOf(host, file), layout))
    return EXIT.sound
  })
}

async function rewrite(
  host: CliHost,
  layout: LogLayout,
  files: readonly string[],
): Promise<ExitCode> {
  if (files.length === 0 || files.includes(STDIN)) {
    throw new UsageError(`${layout} --write needs the names of the files to rewrite`)
  }
  return eachFile(host, files, async (file) => {
    await rewriteFile(file, convertLog(file, bytesOf(host, file), layout))
    return EXIT.sound
  })
}

/** One after another, a failure of one said and the others done; the worst code counts. */
async function eachFile(
  host: CliHost,
  files: readonly string[],
  run: (file: string) => Promise<ExitCode>,
): Promise<ExitCode> {
  let worst: ExitCode = EXIT.sound
  for (const file of files) {
    let code: ExitCode
    try {
      code = await run(file)
    } catch (error) {
      if (hasCode(error, 'EPIPE')) throw error
      host.stderr.write(`${messageOf(error)}\n`)
      code = isCorrupt(error) ? EXIT.corrupt : EXIT.failed
    }
    if (code > worst) worst = code
  }
  return worst
}

function isCorrupt(error: unknown): boolean {
  return error instanceof SessionError && error.code !== 'SECOND_WRITER'
}
