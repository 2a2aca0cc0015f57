import type { ContentBlock } from 'dsh-llm'
import type { ToolCallContext, ToolOutcome, ToolRequest } from 'dsh-tools'
import { cwdMapping } from './cwd.ts'
import { type FindEdits, replaceInText } from './deltas.ts'
import { isRecord, type JsonRecord, show } from './json.ts'
import { laneName } from './lane-state.ts'
import type { Lanes } from './lanes.ts'
import { caller, place } from './messages.ts'
import type { Policies } from './policies.ts'
import type { RecordedToolCall, RefusalCode } from './types.ts'

/**
 * Answers tool calls as their tool's policy says: `recorded` from the log of the session's lane,
 * after checking that it is the same call; `refuse` not at all. Undefined means that the tool runs.
 */
export function answerTool(
  lanes: Lanes,
  policies: Policies,
  request: ToolRequest,
  context: ToolCallContext,
): ToolOutcome | undefined {
  const problem = policies.problem()
  const policy = policies.of(request.name)
  if (problem === undefined && policy === 'run') return undefined
  const session = context.session.id
  const lane = lanes.cursorOf(session)?.lane
  const fail = (code: RefusalCode, problem: string): ToolOutcome => {
    const message =
      `tool call ${context.call} ("${request.name}") of step ${place(context)} in ` +
      `${caller(session)}: ${problem}`
    const error = lanes.refuse(code, message, { ...(lane === undefined ? {} : { lane }), session })
    return {
      content: [{ type: 'text', text: `Error: ${error.message}` }],
      isError: true,
      error: { name: error.name, code },
    }
  }
  if (problem !== undefined) return fail('TOOL_NOT_OFFERED', problem)
  if (policy === 'refuse') return fail('TOOL_REFUSED', 'the scenario refuses this tool')
  return serveRecorded(lanes, request, context, fail)
}

function serveRecorded(
  lanes: Lanes,
  request: ToolRequest,
  context: ToolCallContext,
  fail: (code: RefusalCode, problem: string) => ToolOutcome,
): ToolOutcome {
  const cursor = lanes.cursorOf(context.session.id)
  if (cursor === undefined) {
    return fail('TOOL_NOT_RECORDED', 'the session has no lane, since it made no model call')
  }
  const { script } = cursor
  const name = laneName(cursor.lane, script)
  const recorded = script.toolCalls.find((call) => samePlace(call, context))
  if (recorded === undefined) {
    return fail('TOOL_NOT_RECORDED', `${name} holds no tool call there`)
  }
  const mapping = cwdMapping(script.header.cwd, context.session.cwd)
  const expected = replaceInText(recorded.arguments, mapping.json)
  if (recorded.name !== request.name || expected !== request.arguments) {
    return fail(
      'TOOL_ARGUMENTS_DIFFER',
      `${name} holds ${recorded.name} ${show(expected)}, and ${request.name} ${show(request.arguments)} came`,
    )
  }
  const outcome = readOutcome(mapStrings(recorded.result, mapping.text))
  return outcome ?? fail('TOOL_NOT_RECORDED', `${name} holds no result of this call`)
}

function samePlace(recorded: RecordedToolCall, live: ToolCallContext): boolean {
  return recorded.turn === live.turn && recorded.step === live.step && recorded.call === live.call
}

function readOutcome(result: unknown): ToolOutcome | undefined {
  if (!isRecord(result) || !Array.isArray(result.content)) return undefined
  const { content, isError, error, meta } = result
  return {
    content: content as ContentBlock[],
    ...(isError === true ? { isError } : {}),
    ...(error === undefined ? {} : { error: error as NonNullable<ToolOutcome['error']> }),
    ...(meta === undefined ? {} : { meta: meta as NonNullable<ToolOutcome['meta']> }),
  }
}

function mapStrings(value: unknown, find: FindEdits): unknown {
  if (typeof value === 'string') return replaceInText(value, find)
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, find))
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value satisfies JsonRecord).map(([key, item]) => [key, mapStrings(item, find)]),
  )
}
