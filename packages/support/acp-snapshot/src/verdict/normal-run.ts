import { messageOf } from 'dsh-brand'
import { readHeader } from '../log/header.ts'
import { parseLine, splitLines } from '../log/lines.ts'
import { normaliseOutputs } from '../normalise/recording.ts'
import type { NormaliseOptions } from '../normalise/types.ts'
import type { RunResult } from '../run/types.ts'
import type { NamedLog } from './compare.ts'
import type { Finding } from './types.ts'

/** A run's outputs in normal form: what is compared, and what record and refresh write. */
export interface NormalRun {
  readonly stdout: readonly string[]
  readonly logs: readonly NamedLog[]
  /** What could not be made normal. Nothing may be written while there is any. */
  readonly findings: readonly Finding[]
}

/**
 * Never throws: a line that is no JSON becomes a finding, and the rest is normalised without it (a
 * log up to that line).
 */
export function normaliseRun(
  result: Pick<RunResult, 'stdout' | 'sessionLogs' | 'cwdAliases' | 'sessionIds'>,
  options: Pick<NormaliseOptions, 'pinHeader' | 'recordedSessionIds'> = {},
): NormalRun {
  const findings: Finding[] = []
  const stdout = result.stdout.filter((line, index) => {
    if (isJson(line)) return true
    const fault = { kind: 'protocol-line', line: index + 1, text: line } as const
    findings.push({ kind: 'fault', fault })
    return false
  })
  const logs: NamedLog[] = []
  const ids: string[] = []
  for (const { path, text, problem } of result.sessionLogs) {
    if (problem !== undefined) {
      findings.push({ kind: 'log-unreadable', path, message: problem })
      continue
    }
    try {
      ids.push(readHeader(text, path).id)
      const { sound, message } = soundPart(text, path)
      if (message !== undefined) findings.push({ kind: 'log-unreadable', path, message })
      logs.push({ name: path, text: sound })
    } catch (error) {
      findings.push({ kind: 'log-unreadable', path, message: messageOf(error) })
    }
  }
  // A session that never had a turn left no log, but stdout names it.
  const unlogged = result.sessionIds.filter((id) => !ids.includes(id))
  const normal = normaliseOutputs(
    { stdout, logs: logs.map((log) => log.text) },
    {
      ...options,
      sessionIds: [...ids, ...unlogged],
      cwdAliases: result.cwdAliases,
      numbering: 'as-seen',
    },
  )
  return {
    stdout: normal.stdout,
    logs: logs.map(({ name }, index) => ({ name, text: String(normal.logs[index]) })),
    findings,
  }
}

function soundPart(text: string, path: string): { sound: string; message?: string } {
  const lines = splitLines(text)
  for (const [index, line] of lines.entries()) {
    try {
      parseLine(line, index + 1, path)
    } catch (error) {
      return { sound: `${lines.slice(0, index).join('\n')}\n`, message: messageOf(error) }
    }
  }
  return { sound: text }
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line)
    return true
  } catch {
    return false
  }
}
