import type { ModelStream } from './types.ts'

/** A stream that rejects on first iteration and then has ended. */
export function failingStream(error: unknown): ModelStream {
  return {
    [Symbol.asyncIterator]() {
      let failed = false
      return {
        next() {
          if (failed) return Promise.resolve({ done: true, value: undefined })
          failed = true
          return Promise.reject(error)
        },
      }
    },
  }
}

/** Whether a value can be iterated like a model stream. */
export function isModelStream(value: unknown): value is ModelStream {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}
