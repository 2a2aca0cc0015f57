import { isUuid } from 'dsh-llm-replay'

const ID_TOKEN = /\{\{id\.(\d+)\}\}/g
const SESSION_TOKEN = /\{\{(?:sessionId|session(?:\.(\d+))?)\}\}/g
const WHOLE_SESSION_TOKEN = new RegExp(`^${SESSION_TOKEN.source}$`)

export function isSessionToken(text: string): boolean {
  return WHOLE_SESSION_TOKEN.test(text)
}

export function sessionToken(number: number): string {
  return number === 0 ? '{{session}}' : `{{session.${number}}}`
}

/** The highest number that `{{session}}` (0) or `{{id.n}}` tokens have in the texts, else -1 or 0. */
export function highestSession(texts: readonly string[]): number {
  return highest(texts, SESSION_TOKEN, -1)
}
export function highestId(texts: readonly string[]): number {
  return highest(texts, ID_TOKEN, 0)
}

function highest(texts: readonly string[], token: RegExp, least: number): number {
  let found = least
  for (const text of texts) {
    for (const match of text.matchAll(token)) found = Math.max(found, Number(match[1] ?? 0))
  }
  return found
}

/**
 * Which id has which token. One book serves all outputs of a scenario. UUIDs are compared without
 * regard to case, as they are defined.
 */
export class TokenBook {
  private readonly tokens = new Map<string, string>()
  private readonly sessions = new Set<string>()
  private last = 0

  /** Gives a session its token. */
  addSession(id: string, token: string): void {
    this.tokens.set(keyOf(id), token)
    this.sessions.add(keyOf(id))
  }

  isSession(id: string): boolean {
    return this.sessions.has(keyOf(id))
  }

  /** A token that stands in a text already: later ids get higher numbers. */
  see(number: number): void {
    this.last = Math.max(this.last, number)
  }

  /** The token of an id, by first sight unless it is a session's. */
  tokenOf(id: string): string {
    const key = keyOf(id)
    const known = this.tokens.get(key)
    if (known !== undefined) return known
    this.last += 1
    const token = `{{id.${this.last}}}`
    this.tokens.set(key, token)
    return token
  }
}

function keyOf(id: string): string {
  return isUuid(id) ? id.toLowerCase() : id
}
