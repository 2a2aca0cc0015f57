import { existsSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'

/**
 * One word of an agent's command, absolute where it names a file below `dir`: the agent runs
 * elsewhere. A bare program name is left to PATH even where a file of that name lies about.
 */
export function absoluteWord(word: string, dir: string): string {
  if (isAbsolute(word) || !/[/\\.]/.test(word)) return word
  const path = resolve(dir, word)
  return existsSync(path) ? path : word
}
