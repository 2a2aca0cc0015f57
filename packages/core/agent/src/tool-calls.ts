import type { Clock } from 'dsh-brand'
import type { ToolCallBlock } from 'dsh-llm'
import type { Session } from 'dsh-session'
import {
  failureOutcome,
  type ToolCallContext,
  type ToolOutcome,
  type ToolRegistry,
} from 'dsh-tools'

export interface ToolPhase {
  readonly session: Session
  readonly tools: ToolRegistry
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly turn: number
  readonly step: number
}

/**
 * Runs the calls of one assistant message. Neighbours that may overlap form a group; a group logs
 * all its calls, then all its results, in call order. Once the turn is aborted the calls that have
 * not begun are logged with an error result, so that no call in the history lacks one.
 */
export async function runToolCalls(
  phase: ToolPhase,
  blocks: readonly ToolCallBlock[],
): Promise<void> {
  let start = 0
  while (start < blocks.length) {
    const end = groupEnd(phase.tools, blocks, start)
    await runGroup(phase, blocks, start, end)
    start = end
  }
}

function groupEnd(tools: ToolRegistry, blocks: readonly ToolCallBlock[], start: number): number {
  const overlaps = (index: number): boolean => {
    const block = blocks[index]
    return block !== undefined && tools.get(block.name)?.parallel === true
  }
  let end = start + 1
  if (overlaps(start)) while (overlaps(end)) end += 1
  return end
}

async function runGroup(
  phase: ToolPhase,
  blocks: readonly ToolCallBlock[],
  start: number,
  end: number,
): Promise<void> {
  const group = blocks.slice(start, end)
  const callSeqs = group.map((block) => logCall(phase, block))
  const outcomes = await Promise.all(
    group.map((block, offset) => runOne(phase, block, start + offset)),
  )
  for (const [offset, outcome] of outcomes.entries()) {
    const block = group[offset] as ToolCallBlock
    logResult(phase, block, callSeqs[offset] as number, outcome)
  }
}

function logCall({ session, turn, step }: ToolPhase, block: ToolCallBlock): number {
  const { id: callId, name } = block
  return session.append('tool/call', { turn, step, callId, name, arguments: block.arguments }).seq
}

function runOne(phase: ToolPhase, block: ToolCallBlock, call: number): Promise<ToolOutcome> {
  const { session, signal, clock, turn, step } = phase
  if (signal.aborted) return Promise.resolve(neverRan)
  const context: ToolCallContext = {
    session,
    cwd: session.cwd,
    turn,
    step,
    call,
    callId: block.id,
    signal,
    clock,
  }
  return phase.tools.execute({ name: block.name, arguments: block.arguments }, context)
}

const neverRan: ToolOutcome = {
  content: [{ type: 'text', text: 'Error: the turn was cancelled before this tool ran' }],
  isError: true,
  error: { name: 'AbortError', code: 'aborted' },
}

/** A result that the log cannot hold becomes an error result: no call may stay unanswered. */
function logResult(
  phase: ToolPhase,
  block: ToolCallBlock,
  callSeq: number,
  outcome: ToolOutcome,
): void {
  try {
    appendResult(phase, block, callSeq, outcome)
  } catch (error) {
    appendResult(phase, block, callSeq, failureOutcome(error))
  }
}

function appendResult(
  { session, turn, step }: ToolPhase,
  block: ToolCallBlock,
  callSeq: number,
  { content, isError = false, error, meta }: ToolOutcome,
): void {
  session.append(
    'tool/result',
    {
      turn,
      step,
      callId: block.id,
      content,
      isError,
      ...(error !== undefined && { error }),
      ...(meta !== undefined && { meta }),
    },
    { sourceEventSeqs: [callSeq], surfaceOp: 'append' },
  )
}
