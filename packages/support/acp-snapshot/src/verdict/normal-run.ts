import { messageOf } from 'dsh-brand'
import { readHeader } from '../log/header.ts'
import { isTooDeep, jsonProblem } from '../log/json-scan.ts'
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
  /** Live session ids; the one at index n has the token of number n. */
  readonly sessionIds: readonly string[]
  /** What could not be made normal. Nothing may be written while there is any. */
  readonly findings: readonly Finding[]
}

/**
 * Throws for rules that cannot be any, and for nothing else: a line that is no JSON becomes a finding, and the rest is normalised without it (a
 * log up to that line).
 */
export function normaliseRun(
  result: Pick<RunResult, 'stdout' | 'sessionLogs' | 'cwdAliases' | 'sessionIds'>,
  options: Pick<NormaliseOptions, 'pinHeader' | 'recordedSessionIds' | 'rules'> = {},
): NormalRun {
  const findings: Finding[] = []
  const stdout = result.stdout.filter((line, index) => {
    if (isJson(line)) {
      // An agent may space its messages as it likes, so only what would be lost counts.
      const message = jsonProblem(line)?.problem
      if (message !== undefined) {
        findings.push({ kind: 'line-form', file: 'stdout', line: index + 1, message })
      }
      return true
    }
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
      findings.push(...formProblems(sound, path))
      logs.push({ name: path, text: sound })
    } catch (error) {
      findings.push({ kind: 'log-unreadable', path, message: messageOf(error) })
    }
  }
  // A session that never had a turn left no log, but stdout names it.
  const sessionIds = [...ids, ...result.sessionIds.filter((id) => !ids.includes(id))]
  const normal = normaliseOutputs(
    { stdout, logs: logs.map((log) => log.text) },
    {
      ...options,
      sessionIds,
      cwdAliases: result.cwdAliases,
      numbering: 'as-seen',
    },
  )
  return {
    stdout: normal.stdout,
    logs: logs.map(({ name }, index) => ({ name, text: String(normal.logs[index]) })),
    sessionIds,
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

/** The store writes a line in one way only; what it would not write it may not read whole either. */
function formProblems(text: string, file: string): Finding[] {
  const lines = splitLines(text)
  const finding = (index: number, message: string): Finding[] => [
    { kind: 'line-form', file, line: index + 1, message },
  ]
  const index = lines.findIndex((line) => JSON.stringify(JSON.parse(line)) !== line)
  if (index >= 0) {
    const line = lines[index] as string
    const message = jsonProblem(line)?.problem ?? 'not spelt as JSON.stringify spells it'
    return finding(index, line.endsWith('\r') ? 'ends in CR LF, expected LF alone' : message)
  }
  const whole = text.endsWith('\n')
  return whole ? [] : finding(lines.length - 1, 'the last line has no line feed')
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line)
    return !isTooDeep(line)
  } catch {
    return false
  }
}
