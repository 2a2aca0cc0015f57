const marker = Symbol.for('dsh.error')

/**
 * The base of every error that this project throws on purpose. `code` is stable and meant for
 * programs; `message` is meant for people and says what was expected, what came, where, and what to
 * do. Recognised by a global symbol, so that two copies of this package still agree.
 */
export class DshError extends Error {
  readonly code: string

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
    this.code = code
  }

  static is(value: unknown): value is DshError {
    return typeof value === 'object' && value !== null && marker in value
  }
}

Object.defineProperty(DshError.prototype, marker, { value: true })

/**
 * The message of anything that was thrown, for use inside another message. Never throws, whatever
 * it is given: a broken value must not hide the error that is being reported.
 */
export function messageOf(error: unknown): string {
  try {
    if (typeof error === 'object' && error !== null && 'message' in error) {
      return String(error.message)
    }
    return String(error)
  } catch {
    return 'unknown error'
  }
}
