import { abortedError, LlmError, type StreamChunk } from 'dsh-llm'
import { ReplayError } from './error.ts'
import type { ReplayEntry } from './types.ts'

/** What a hang shows before it waits, unless its entry says otherwise. */
const HANG_CHUNKS: readonly StreamChunk[] = [
  { type: 'block-start', index: 0, blockType: 'text' },
  { type: 'text-delta', index: 0, text: 'partial' },
]

/** The chunks that an entry serves. */
export function entryChunks(entry: ReplayEntry): readonly StreamChunk[] {
  return entry.chunks ?? HANG_CHUNKS
}

/** The error that a recorded call failed with, as far as a caller can tell. */
function recordedError(entry: ReplayEntry & { kind: 'throw' }): Error {
  const { code, message, status, retryAfterMs } = entry
  if (code === undefined) return new Error(message)
  return new LlmError(code, message, {
    ...(status !== undefined && { status }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  })
}

export interface ReplayStreamOptions {
  readonly entry: ReplayEntry
  /** What is served in place of the entry's own chunks. */
  readonly chunks: readonly StreamChunk[]
  readonly signal: AbortSignal | undefined
  /** Aborts when the replay is disposed, so that a hang cannot outlive it. */
  readonly disposed: AbortSignal
  /** A hang has served its chunks and begins to wait. What it throws surfaces from the stream. */
  readonly onWaiting: () => void
}

type Result = IteratorResult<StreamChunk, undefined>
const END: Result = { done: true, value: undefined }

/**
 * Serves one recorded call. Written out instead of as an async generator, which would cost two more
 * turns of the microtask queue per chunk.
 */
export class ReplayStream implements AsyncIterableIterator<StreamChunk, undefined> {
  private readonly options: ReplayStreamOptions
  private readonly chunks: readonly StreamChunk[]
  /** What ends the stream between two chunks; a hang serves its chunks in any case. */
  private readonly cut: AbortSignal | undefined
  private at = 0
  private ended = false
  private waiting: Promise<Result> | undefined
  private stopWaiting: (() => void) | undefined

  constructor(options: ReplayStreamOptions) {
    this.options = options
    this.chunks = options.chunks
    // Where a cancel lands must not depend on timing.
    this.cut = options.entry.kind === 'hang' ? undefined : options.signal
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<Result> {
    if (this.ended) return Promise.resolve(END)
    if (this.cut?.aborted === true) return this.fail(abortedError())
    const value = this.chunks[this.at]
    if (value !== undefined) {
      this.at++
      return Promise.resolve({ done: false, value })
    }
    const { entry } = this.options
    if (entry.kind === 'hang') {
      this.waiting ??= this.wait()
      return this.waiting
    }
    if (entry.kind === 'throw') {
      return this.fail(recordedError(entry))
    }
    this.ended = true
    return Promise.resolve(END)
  }

  return(): Promise<Result> {
    this.ended = true
    this.stopWaiting?.()
    return Promise.resolve(END)
  }

  private fail(error: Error): Promise<Result> {
    this.ended = true
    return Promise.reject(error)
  }

  private wait(): Promise<Result> {
    const { signal, disposed, onWaiting } = this.options
    try {
      onWaiting()
    } catch (error) {
      return this.fail(error as Error)
    }
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.ended = true
        signal?.removeEventListener('abort', check)
        disposed.removeEventListener('abort', check)
      }
      const check = (): void => {
        if (signal?.aborted === true) {
          leave()
          reject(abortedError())
        } else if (disposed.aborted) {
          leave()
          reject(
            new ReplayError(
              'REPLAY_DISPOSED',
              'the replay was disposed while a recorded hang waited',
            ),
          )
        }
      }
      this.stopWaiting = () => {
        leave()
        resolve(END)
      }
      signal?.addEventListener('abort', check)
      disposed.addEventListener('abort', check)
      check()
    })
  }
}
