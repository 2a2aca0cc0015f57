import { eventLoopTurn } from 'dsh-brand'
import { type AssembledAnswer, Assembler, type ModelStream } from 'dsh-llm'
import type { Session } from 'dsh-session'

/** A call whose stream is over, however it ended. */
export interface ModelCall {
  readonly answer: AssembledAnswer
  /** `seq` of every chunk of this call. */
  readonly chunkSeqs: readonly number[]
  /** Whether a piece of a block came, something that a client may have shown. */
  readonly shown: boolean
  /** What the stream threw; absent where it came to its end. */
  readonly thrown?: { readonly error: unknown }
}

/** A stream that is answered from memory lets others in this often: clients read, cancels arrive. */
const CHUNKS_PER_TURN = 256

/** Drains one stream, logging each chunk as it comes. Never rejects. */
export async function runModelCall(
  session: Session,
  turn: number,
  step: number,
  stream: ModelStream,
): Promise<ModelCall> {
  const assembler = new Assembler()
  const chunkSeqs: number[] = []
  let shown = false
  let thrown: ModelCall['thrown']
  try {
    for await (const chunk of stream) {
      chunkSeqs.push(session.append('assistant/chunk', { turn, step, chunk }).seq)
      shown ||= chunk.type !== 'usage' && chunk.type !== 'finish'
      assembler.push(chunk)
      if (chunkSeqs.length % CHUNKS_PER_TURN === 0) await eventLoopTurn()
    }
  } catch (error) {
    thrown = { error }
  }
  return {
    answer: assembler.result(),
    chunkSeqs,
    shown,
    ...(thrown !== undefined && { thrown }),
  }
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
