import { type Fields, isFields, parseLine } from '../log/lines.ts'
import { type LogRecord, readRecords } from '../log/records.ts'
import { STDOUT_FILE } from '../scenario/files.ts'
import type { NamedLog } from './compare.ts'
import type { NormalRun } from './normal-run.ts'
import type { PendingTool } from './types.ts'

/**
 * The tool calls that a run began and never saw a result of, in its last turns: what it waited for
 * when it was cut short. Logs say it best, in their order; a crash can be faster than they are, so
 * stdout says it too, where a title stands for a name that no log knows.
 */
export function pendingTools(
  { logs, stdout }: Pick<NormalRun, 'logs' | 'stdout'>,
  recorded: readonly NamedLog[],
): PendingTool[] {
  const live = logs.map(({ name, text }) => ({ file: name, records: ownRecords(name, text) }))
  const names = new Map(
    [
      ...recorded.map(({ name, text }) => readRecords(text, name)),
      ...live.map(({ records }) => records),
    ]
      .flat()
      .flatMap(({ value }) => (value['type'] === 'tool/call' ? [nameOf(value['data'])] : [])),
  )
  const known = new Set(
    live.flatMap(({ records }) => records.map(({ value }) => callIdOf(value['data']))),
  )
  return [
    ...live.flatMap(({ file, records }) => pendingIn(file, records)),
    ...pendingOnStdout(stdout)
      .filter(({ callId }) => !known.has(callId))
      .map(({ callId, title, line }) => ({
        tool: names.get(callId) ?? title,
        file: STDOUT_FILE,
        line,
      })),
  ]
}

/** What a child took over from its parent is the parent's to wait for. */
function ownRecords(file: string, text: string): LogRecord[] {
  const records = readRecords(text, file)
  const seed = records[0]?.value['seedLength']
  return records.slice(1 + (typeof seed === 'number' ? seed : 0))
}

function pendingIn(file: string, records: readonly LogRecord[]): PendingTool[] {
  const pending = new Map<unknown, PendingTool>()
  for (const { line, value } of records) {
    const { type, data } = value
    // Whatever an earlier turn waited for ended with that turn, if only by a crash.
    if (type === 'turn/start') pending.clear()
    if (type === 'tool/call') {
      const [callId, tool] = nameOf(data)
      pending.set(callId, { tool, file, line })
    }
    if (type === 'tool/result') pending.delete(callIdOf(data))
  }
  return [...pending.values()]
}

interface PendingOnStdout {
  readonly callId: string
  readonly title: string
  readonly line: number
}

function pendingOnStdout(stdout: readonly string[]): PendingOnStdout[] {
  const pending = new Map<string, PendingOnStdout>()
  for (const [index, text] of stdout.entries()) {
    const message = fieldsOf(parseLine(text, index + 1, STDOUT_FILE))
    if ('stopReason' in fieldsOf(message['result'])) pending.clear()
    const { sessionUpdate, toolCallId, title, status } = fieldsOf(
      fieldsOf(message['params'])['update'],
    )
    const callId = String(toolCallId)
    if (sessionUpdate === 'tool_call') {
      pending.set(callId, { callId, title: String(title), line: index + 1 })
    }
    if (status === 'completed' || status === 'failed') pending.delete(callId)
  }
  return [...pending.values()]
}

function nameOf(data: unknown): readonly [callId: string, tool: string] {
  return [callIdOf(data), String(fieldsOf(data)['name'])]
}

function callIdOf(data: unknown): string {
  return String(fieldsOf(data)['callId'])
}

function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {}
}
