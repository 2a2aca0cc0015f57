import { eventLoopTurn } from 'dsh-brand'
import { type AssembledAnswer, Assembler, type ModelStream } from 'dsh-llm'
import type { Session } from 'dsh-session'

export interface ModelCall {
  readonly answer: AssembledAnswer
  /** `seq` of every chunk of this call. */
  readonly chunkSeqs: readonly number[]
}

/** A stream that is answered from memory lets others in this often: clients read, cancels arrive. */
const CHUNKS_PER_TURN = 256

/**
 * Drains one stream, logging each chunk as it comes.
 * @throws what the stream threw; the chunks before it are logged.
 */
export async function runModelCall(
  session: Session,
  turn: number,
  step: number,
  stream: ModelStream,
): Promise<ModelCall> {
  const assembler = new Assembler()
  const chunkSeqs: number[] = []
  for await (const chunk of stream) {
    chunkSeqs.push(session.append('assistant/chunk', { turn, step, chunk }).seq)
    assembler.push(chunk)
    if (chunkSeqs.length % CHUNKS_PER_TURN === 0) await eventLoopTurn()
  }
  return { answer: assembler.result(), chunkSeqs }
}

/** Logs the answer, unless it is nothing at all. */
export function logAnswer(
  session: Session,
  turn: number,
  step: number,
  content: AssembledAnswer['content'],
  call: ModelCall,
): void {
  const { usage } = call.answer
  if (content.length === 0 && usage === undefined) return
  session.append(
    'assistant/message',
    { turn, step, content, ...(usage !== undefined && { usage }) },
    {
      ...(call.chunkSeqs.length > 0 && { sourceEventSeqs: call.chunkSeqs }),
      surfaceOp: 'append',
    },
  )
}
