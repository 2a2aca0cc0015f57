import { visible } from './visible.ts'

/** What is wrong with a JSON text, and where: offset in UTF-16 units, line and column from 1. */
export interface JsonProblem {
  readonly problem: string
  readonly offset: number
  readonly line: number
  readonly column: number
}

/**
 * No log that an agent writes is nested nearly as deep; much deeper, and whoever walks or writes the
 * value runs out of stack.
 */
export const DEEPEST = 500
const TOO_DEEP = `nested deeper than ${DEEPEST} levels`

/**
 * Finds what `JSON.parse` rejects or passes over in silence: the place of a syntax error, a key that
 * an object has twice, a value that is nested too deep. Undefined for a sound text. Never recurses.
 */
export function jsonProblem(text: string): JsonProblem | undefined {
  const found = sound(text) ? undefined : new Scan(text).run()
  if (found === undefined) return undefined
  const before = text.slice(0, found.offset)
  const line = before.split('\n').length
  return { ...found, line, column: found.offset - before.lastIndexOf('\n') }
}

/** Whether a text is nested deeper than anything here could walk. */
export function isTooDeep(text: string): boolean {
  return manyOpeners(text) && jsonProblem(text)?.problem === TOO_DEEP
}

/** Most lines are as `JSON.stringify` writes them, which has no room for any of the problems. */
function sound(text: string): boolean {
  if (manyOpeners(text)) return false
  try {
    return JSON.stringify(JSON.parse(text)) === text
  } catch {
    return false
  }
}

/** Whether it could be too deep at all; cheap, since it is asked of every line. */
function manyOpeners(text: string): boolean {
  let opened = 0
  for (let at = 0; at < text.length; at += 1) {
    const unit = text[at]
    if (unit === '[' || unit === '{') opened += 1
  }
  return opened > DEEPEST
}

type Found = Pick<JsonProblem, 'problem' | 'offset'>

const SPACE = /[ \t\n\r]*/y
const STRING = /"(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/uy
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y

class Scan {
  private readonly text: string
  private at = 0
  /** The keys of every open object; undefined for an open array. */
  private readonly open: (Set<string> | undefined)[] = []
  private expects: 'value' | 'key' | 'comma' | 'end' = 'value'
  /** Whether the innermost array or object has only just been opened, so that it may end at once. */
  private fresh = false

  constructor(text: string) {
    this.text = text
  }

  run(): Found | undefined {
    for (;;) {
      this.take(SPACE)
      const next = this.text[this.at]
      if (next === undefined) {
        return this.expects === 'end' ? undefined : this.found('the text ends too early')
      }
      const problem = this.step(next)
      if (problem !== undefined) return this.found(problem)
    }
  }

  private found(problem: string): Found {
    return { problem, offset: this.at }
  }

  /** Takes what comes next, or says what is wrong with it. */
  private step(next: string): string | undefined {
    const inside = this.open.length > 0
    const closer = this.open.at(-1) === undefined ? ']' : '}'
    if (inside && next === closer && (this.fresh || this.expects === 'comma')) return this.close()
    switch (this.expects) {
      case 'value':
        return this.value(next)
      case 'key':
        return this.key(next)
      case 'comma':
        if (next !== ',') return `expected "," or "${closer}", not ${visible(next)}`
        this.at += 1
        this.expects = closer === '}' ? 'key' : 'value'
        return undefined
      case 'end':
        return `expected the end, not ${visible(next)}`
    }
  }

  private value(next: string): string | undefined {
    if (next === '{' || next === '[') {
      if (this.open.length === DEEPEST) return TOO_DEEP
      this.at += 1
      this.open.push(next === '{' ? new Set() : undefined)
      this.expects = next === '{' ? 'key' : 'value'
      this.fresh = true
      return undefined
    }
    if (this.take(next === '"' ? STRING : SCALAR) === undefined) {
      return `expected a value, not ${visible(next)}`
    }
    this.complete()
    return undefined
  }

  private key(next: string): string | undefined {
    const start = this.at
    const text = this.take(STRING)
    if (text === undefined) return `expected a key in quotes, not ${visible(next)}`
    const key = JSON.parse(text) as string
    const keys = this.open.at(-1) as Set<string>
    if (keys.has(key)) {
      this.at = start
      return `the key ${JSON.stringify(key)} stands twice in one object`
    }
    keys.add(key)
    this.take(SPACE)
    if (this.text[this.at] !== ':') return 'expected ":" after a key'
    this.at += 1
    this.expects = 'value'
    this.fresh = false
    return undefined
  }

  private close(): undefined {
    this.at += 1
    this.open.pop()
    this.complete()
  }

  /** A value is over. */
  private complete(): void {
    this.fresh = false
    this.expects = this.open.length === 0 ? 'end' : 'comma'
  }

  private take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at
    const text = pattern.exec(this.text)?.[0]
    if (text !== undefined) this.at += text.length
    return text
  }
}
