import type { Replacer } from './replacer.ts'
import type { TokenBook } from './tokens.ts'
import { mapStrings } from './walk.ts'

/** What of a request header is taken out of a log. */
export type HeaderPart = 'system' | 'tools'

const TOKEN = /^\{\{(system|tools)(?:\.(\d+))?\}\}$/

/**
 * Which prompt and which tools have which token: those that come first are `{{system}}` and
 * `{{tools}}`, others `{{system.1}}`, `{{tools.1}}`, … by first sight over all logs. A child that is
 * told something else than its parent would be the same as one that is not otherwise.
 */
export class HeaderBook {
  private readonly tokens = new Map<string, string>()
  private readonly last = { system: -1, tools: -1 }
  private readonly replacer: Replacer

  /** `replacer` takes out what differs without a difference; see `ANY_ID`. */
  constructor(replacer: Replacer) {
    this.replacer = replacer
  }

  /** Whether a value is a token already: later values get higher numbers. */
  see(part: HeaderPart, value: unknown): value is string {
    const [, of, number = '0'] = (typeof value === 'string' && TOKEN.exec(value)) || []
    if (of !== part) return false
    this.last[part] = Math.max(this.last[part], Number(number))
    return true
  }

  tokenOf(part: HeaderPart, value: unknown): string {
    if (this.see(part, value)) return value
    const { replacer } = this
    const normal = mapStrings(value, {
      text: (text) => replacer.text(text),
      word: (word) => replacer.word(word),
    })
    const key = `${part} ${JSON.stringify(normal)}`
    const known = this.tokens.get(key)
    if (known !== undefined) return known
    this.last[part] += 1
    const number = this.last[part]
    const token = number === 0 ? `{{${part}}}` : `{{${part}.${number}}}`
    this.tokens.set(key, token)
    return token
  }
}

/**
 * One token for all ids: what is scrubbed is not in the log, so an id in it must take no number, and
 * each session may name its own.
 */
export const ANY_ID: Pick<TokenBook, 'see' | 'isSession' | 'tokenOf'> = {
  see: () => undefined,
  isSession: () => true,
  tokenOf: () => '{{id}}',
}
