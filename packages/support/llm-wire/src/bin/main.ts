import { writeFile } from 'node:fs/promises'
import type { Readable, Writable } from 'node:stream'
import { type Clock, delay, messageOf } from 'dsh-brand'
import { z } from 'zod'
import { loadWireScript } from '../script/load.ts'
import { startWireModel } from '../server/start.ts'
import type { WireModel } from '../types.ts'
import { parseWireArgs, type WireArgs } from './args.ts'
import { lineSplitter } from './lines.ts'

/** What the program needs of its process. */
export interface WireProcess {
  /** Without the interpreter and the program. */
  readonly args: readonly string[]
  readonly stdin: Readable
  readonly stdout: Writable
  readonly stderr: Writable
  /** Has `stop` called when the process is asked to end. */
  readonly onSignal: (stop: () => void) => void
  readonly clock: Clock
}

/** How long the end waits for a reader that does not read. */
const PRINT_MS = 5000

const command = z.strictObject({ release: z.string() })

/**
 * Serves a script until stdin ends or a signal comes, and gives the exit code: 0; 1 if anything was
 * refused or left over; 2 if the arguments, the script, a command or the report file were at fault.
 * Never rejects.
 */
export async function main(io: WireProcess): Promise<number> {
  try {
    return await run(parseWireArgs(io.args), io)
  } catch (error) {
    io.stderr.write(`dsh-llm-wire: ${messageOf(error)}\n`)
    return 2
  }
}

async function run(args: WireArgs, io: WireProcess): Promise<number> {
  const ended = untilEnded(io)
  const model = await startWireModel({
    script: await loadWireScript(args.script),
    source: args.script,
    clock: io.clock,
    ...(args.cwd !== undefined && { cwd: args.cwd }),
    ...(args.sessionHeader !== undefined && { sessionHeader: args.sessionHeader }),
    onPause: (pause) => void print(io.stdout, { pause }),
  })
  let badCommands = 0
  io.stdin.on(
    'data',
    lineSplitter((line) => {
      const why = obey(line, model)
      if (why === undefined) return
      badCommands += 1
      io.stderr.write(`dsh-llm-wire: ${why}\n`)
    }),
  )
  await print(io.stdout, { url: model.url })
  await ended
  const report = await model.close()
  if (args.report !== undefined) {
    await writeFile(args.report, `${JSON.stringify(report, null, 2)}\n`)
  }
  const printed = new AbortController()
  await Promise.race([print(io.stdout, { report }), delay(io.clock, PRINT_MS, printed.signal)])
  printed.abort()
  if (badCommands > 0) return 2
  return report.ok ? 0 : 1
}

/**
 * Resolves when whoever started the program has left it: a stdout that nobody reads counts, so that
 * no server outlives its run.
 */
function untilEnded({ stdin, stdout, onSignal }: WireProcess): Promise<void> {
  return new Promise((resolve) => {
    stdin.setEncoding('utf8')
    for (const event of ['end', 'close', 'error']) stdin.once(event, resolve)
    stdout.on('error', resolve)
    onSignal(resolve)
  })
}

/** Does what a line asks; returns what was wrong with it. */
function obey(line: string | undefined, model: WireModel): string | undefined {
  if (line === undefined) return 'a command on stdin is too long'
  try {
    model.release(command.parse(JSON.parse(line)).release)
    return undefined
  } catch (error) {
    return `cannot obey ${line}: ${messageOf(error)}`
  }
}

/** Resolves once the line is out, or cannot be. */
function print(stdout: Writable, value: unknown): Promise<void> {
  return new Promise((resolve) => {
    stdout.write(`${JSON.stringify(value)}\n`, () => resolve())
  })
}
