/** One program with its arguments, as a shell would start it. */
export interface SimpleCommand {
  /** Without quotes; substitutions inside a word are commands of their own. */
  readonly words: readonly string[]
  /** Whether it reads what another command says. */
  readonly piped: boolean
  /** What it reads where that stands in the script: here-documents and here-strings. */
  readonly fed?: string
}

/**
 * Splits a command line into the programs that it would start. It knows quotes, escapes, pipes,
 * redirections, here-documents, substitutions and groups, and no more of the language: it serves to
 * warn, and takes for a program what stands where one could.
 */
export function simpleCommands(script: string): SimpleCommand[] {
  return new Splitter(script).split()
}

class Splitter {
  /** Without the here-documents that were read. */
  private script: string
  private readonly found: SimpleCommand[] = []
  private words: string[] = []
  private word: string | undefined
  private piped = false
  private at: number
  private fed: string | undefined
  /** The next word is what the command reads. */
  private feeding = false
  private depth = 0
  /** Inside a substitution, whose parenthesis ends it. */
  private readonly nested: boolean
  private closed = false

  constructor(script: string, at = 0, nested = false) {
    this.script = script
    this.at = at
    this.nested = nested
  }

  split(): SimpleCommand[] {
    while (this.at < this.script.length && !this.closed) this.take(this.next())
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
        this.unquotedDollar()
        break
      case '`':
        this.inner(this.until('`'))
        break
      case ' ':
      case '\t':
        this.endWord()
        break
      case '<':
        this.endWord()
        if (this.script.charAt(this.at) === '<') this.here()
        break
      case '>':
        // The target is a word of its own; `>(…)` goes on with a group.
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
        this.endCommand(false)
        break
      case '(':
        this.depth += 1
        this.endCommand(false)
        break
      case ')':
        this.endCommand(false)
        if (this.nested && this.depth === 0) this.closed = true
        this.depth -= 1
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
    if (this.script.charAt(this.at) !== '(') {
      this.add('$')
      return
    }
    const group = new Splitter(this.script, this.at + 1, true)
    this.add('')
    this.found.push(...group.split())
    this.script = group.script
    this.at = group.at
  }

  /** `$'…'` knows escapes of its own; `$"…"` is a quoted text. */
  private unquotedDollar(): void {
    const quote = this.script.charAt(this.at)
    if (quote === '"') {
      this.at += 1
      this.quoted()
    } else if (quote === "'") {
      // An open one goes to the end.
      const rest = this.script.slice(this.at)
      const [text, inside] = /^'((?:[^'\\]|\\[^])*)'?/.exec(rest) as unknown as [string, string]
      this.at += text.length
      this.add(inside.replace(ANSI_ESCAPE, unescapeAnsi))
    } else this.dollar()
  }

  /** Behind the first `<` of `<<` or `<<<`. */
  private here(): void {
    this.at += 1
    if (this.script.charAt(this.at) === '<') {
      this.at += 1
      this.feeding = true
      return
    }
    const rest = this.script.slice(this.at)
    const [opening, tabs, quote, quoted, bare] =
      /^(-?)[ \t]*(?:(['"])(.*?)\2|([^\s;&|<>()'"`$]+))/.exec(rest) ?? []
    if (opening === undefined) return
    const end = (quoted ?? bare) as string
    const line = rest.indexOf('\n') + 1
    const body = line === 0 ? undefined : documentUntil(rest.slice(line), end, tabs === '-')
    // Without its end it may be anything, so that it is read as commands.
    if (body === undefined) return
    this.script =
      this.script.slice(0, this.at + line) + rest.slice(line + body.text.length + body.end.length)
    this.at += opening.length
    this.feed(body.text)
    if (quote === undefined && !bare?.includes('\\')) this.found.push(...substitutions(body.text))
  }

  private feed(text: string): void {
    this.fed = (this.fed ?? '') + text
  }

  /** What a substitution runs; the word that it is part of goes on. */
  private inner(script: string): void {
    this.add('')
    this.found.push(...simpleCommands(script))
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
    const { word, feeding } = this
    this.word = undefined
    if (word === undefined) return
    this.feeding = false
    if (feeding) this.feed(word)
    else this.words.push(word)
  }

  private endCommand(piped: boolean): void {
    this.endWord()
    const { words, fed } = this
    if (words.length > 0) {
      this.found.push({ words, piped: this.piped, ...(fed !== undefined && { fed }) })
    }
    this.words = []
    this.fed = undefined
    this.feeding = false
    this.piped = piped
  }
}

/** A here-document up to the line that ends it; undefined where there is none. */
function documentUntil(
  text: string,
  end: string,
  tabs: boolean,
): { text: string; end: string } | undefined {
  let at = 0
  for (const line of text.split('\n')) {
    if ((tabs ? line.replace(/^\t+/, '') : line) === end) {
      return { text: text.slice(0, at), end: text.slice(at, at + line.length + 1) }
    }
    at += line.length + 1
  }
  return undefined
}

/** What runs where a text is filled in. */
function substitutions(text: string): SimpleCommand[] {
  // As in double quotes, where a double quote means nothing.
  const all = simpleCommands(`"${text.replaceAll('"', ' ')}"`)
  return all.slice(0, -1)
}

const ANSI_ESCAPE = /\\(?:x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|([0-7]{1,3})|([^]))/g

function unescapeAnsi(_: string, hex?: string, unicode?: string, octal?: string, one = ''): string {
  const code = hex ?? unicode
  if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16))
  if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8))
  return ANSI_CHARACTERS[one] ?? one
}

const ANSI_CHARACTERS: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }
