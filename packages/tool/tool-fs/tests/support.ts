import { existsSync, mkdtempSync, readdirSync, readlinkSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brandString, systemClock } from 'dsh-brand'
import type { Session } from 'dsh-session'
import type { Tool, ToolCallContext, ToolOutcome } from 'dsh-tools'
import { expect, onTestFinished } from 'vitest'
import type { Config } from '../src/config.ts'
import { editTool } from '../src/edit-tool.ts'
import { Files } from '../src/files.ts'
import { readTool } from '../src/read-tool.ts'
import { writeTool } from '../src/write-tool.ts'

/** A real folder that goes away with the test; its path has no symbolic links. */
export function tempDir(): string {
  const dir = mkdtempSync(join(realpathSync(tmpdir()), 'dsh-fs-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

/** As much of a session as these tools may use: its identity. */
export function sessionIn(cwd: string): Session {
  const refuse = (): never => {
    throw new Error('the file tools append nothing')
  }
  const id = brandString<'SessionId'>('s')
  return {
    id,
    cwd,
    header: { type: 'session', version: 0, id, createdAt: 0 },
    events: [],
    append: refuse,
    history: refuse,
  }
}

export function contextIn(cwd: string, session: Session = sessionIn(cwd)): ToolCallContext {
  const { signal } = new AbortController()
  return { session, cwd, turn: 1, step: 1, call: 0, callId: 'c', signal, clock: systemClock }
}

type Call = (args: unknown, context?: ToolCallContext) => Promise<ToolOutcome>

/** The three tools over one folder and one session. */
export interface Bench {
  readonly cwd: string
  readonly files: Files
  readonly context: ToolCallContext
  readonly read: Call
  readonly write: Call
  readonly edit: Call
}

export function bench(config: Config = {}, cwd: string = tempDir()): Bench {
  const files = new Files(config)
  const context = contextIn(cwd)
  const via = (tool: Tool) => (args: unknown, other?: ToolCallContext) =>
    tool.execute(args, other ?? context)
  return {
    cwd,
    files,
    context,
    read: via(readTool(files)),
    write: via(writeTool(files)),
    edit: via(editTool(files)),
  }
}

export function textOf(outcome: ToolOutcome): string {
  return outcome.content.map((block) => (block.type === 'text' ? block.text : '')).join('')
}

/** What a call failed with. */
export async function failureOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => {
      throw new Error('the call succeeded')
    },
    (error: unknown) => error,
  )
}

export function fsFailure(code: string, message: string): unknown {
  return expect.objectContaining({ name: 'FsError', code, message })
}

export function argsFailure(tool: string, problem: string): unknown {
  const message = `invalid arguments for "${tool}": ${problem}`
  return expect.objectContaining({ name: 'ToolError', code: 'INVALID_ARGS', message })
}

/** The files of a folder that this process holds open, where the system shows them. */
export function openFilesIn(dir: string): string[] {
  if (!existsSync('/proc/self/fd')) return []
  return readdirSync('/proc/self/fd')
    .flatMap((fd) => {
      try {
        return [readlinkSync(`/proc/self/fd/${fd}`)]
      } catch {
        // The listing itself was open while it was made.
        return []
      }
    })
    .filter((path) => path.startsWith(dir))
}
