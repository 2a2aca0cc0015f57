/** One program with its arguments, as a shell would start it. */
export interface SimpleCommand {
  /** Without quotes; substitutions inside a word are commands of their own. */
  readonly words: readonly string[]
  /** Whether it reads what another command says. */
  readonly piped: boolean
}

/**
 * Splits a command line into the programs that it would start. It knows quotes, escapes, pipes,
 * redirections, substitutions and groups, and no more of the language: it serves to warn, and takes
 * for a program what stands where one could.
 */
export function simpleCommands(script: string): SimpleCommand[] {
  return new Splitter(script).split()
}

class Splitter {
  private readonly script: string
  private readonly found: SimpleCommand[] = []
  private words: string[] = []
  private word: string | undefined
  private piped = false
  private at = 0

  constructor(script: string) {
    this.script = script
  }

  split(): SimpleCommand[] {
    while (this.at < this.script.length) this.take(this.next())
    this.endCommand(false)
    return this.found
  }

  private next(): string {
    const character = this.script.charAt(this.at)
    this.at += 1
    return character
  }

  private take(character: string): void {
    switch (character) {
      case "'":
        this.add(this.until("'"))
        break
      case '"':
        this.quoted()
        break
      case '\\':
        this.escaped()
        break
      case '$':
        this.dollar()
        break
      case '`':
        this.inner(this.until('`'))
        break
      case ' ':
      case '\t':
        this.endWord()
        break
      case '<':
      case '>':
        // The target is a word of its own; `<(…)` goes on with a group.
        this.endWord()
        break
      case '#':
        if (this.word === undefined) this.comment()
        else this.add(character)
        break
      case '|':
        this.pipe()
        break
      case '\n':
      case ';':
      case '&':
      case '(':
      case ')':
        this.endCommand(false)
        break
      default:
        this.add(character)
    }
  }

  /** An escaped line break joins two lines and is in no word. */
  private escaped(): void {
    const character = this.next()
    if (character !== '\n') this.add(character)
  }

  private comment(): void {
    this.until('\n')
    this.endCommand(false)
  }

  /** `||` is no pipe; `|&` is one. */
  private pipe(): void {
    const piped = this.script.charAt(this.at) !== '|'
    if (!piped || this.script.charAt(this.at) === '&') this.at += 1
    this.endCommand(piped)
  }

  private quoted(): void {
    this.add('')
    for (;;) {
      const character = this.next()
      if (character === '"' || character === '') return
      if (character === '\\') this.add(this.next())
      else if (character === '$') this.dollar()
      else if (character === '`') this.inner(this.until('`'))
      else this.add(character)
    }
  }

  private dollar(): void {
    if (this.script.charAt(this.at) === '(') {
      this.at += 1
      this.inner(this.group())
    } else this.add('$')
  }

  /** What a substitution runs; the word that it is part of goes on. */
  private inner(script: string): void {
    this.add('')
    this.found.push(...simpleCommands(script))
  }

  /** The text up to the parenthesis that closes, quotes aside. */
  private group(): string {
    const start = this.at
    for (let depth = 1; this.at < this.script.length; ) {
      const character = this.next()
      if (character === "'") this.until("'")
      if (character === '"') this.skipQuoted()
      if (character === '(') depth += 1
      if (character === ')') depth -= 1
      if (depth === 0) return this.script.slice(start, this.at - 1)
    }
    return this.script.slice(start)
  }

  private skipQuoted(): void {
    for (;;) {
      const character = this.next()
      if (character === '"' || character === '') return
      if (character === '\\') this.next()
    }
  }

  private until(end: string): string {
    const stop = this.script.indexOf(end, this.at)
    const text = this.script.slice(this.at, stop === -1 ? undefined : stop)
    this.at = stop === -1 ? this.script.length : stop + 1
    return text
  }

  private add(text: string): void {
    this.word = (this.word ?? '') + text
  }

  private endWord(): void {
    if (this.word !== undefined) this.words.push(this.word)
    this.word = undefined
  }

  private endCommand(piped: boolean): void {
    this.endWord()
    if (this.words.length > 0) this.found.push({ words: this.words, piped: this.piped })
    this.words = []
    this.piped = piped
  }
}
