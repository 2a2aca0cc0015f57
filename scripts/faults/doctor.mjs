import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** @typedef {Record<string, any>} Line */

/** @returns {Line[]} */
export function readLines(dir, file) {
  const text = readFileSync(join(dir, file), 'utf8')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

export function writeLines(dir, file, lines) {
  writeFileSync(join(dir, file), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
}

/**
 * Rewrites the lines of a file; a doctor that changes nothing is an error, since what it should make
 * known would not be there.
 *
 * @param {string} file
 * @param {(lines: Line[]) => Line[]} change
 * @returns {(dir: string) => void}
 */
export function lines(file, change) {
  return (dir) => {
    const before = readLines(dir, file)
    const after = change(structuredClone(before))
    if (JSON.stringify(after) === JSON.stringify(before))
      throw new Error(`${dir}/${file}: nothing was changed`)
    writeLines(dir, file, after)
  }
}

/** As text. @returns {(dir: string) => void} */
export function text(file, find, replace) {
  return (dir) => {
    const before = readFileSync(join(dir, file), 'utf8')
    const after = before.replaceAll(find, replace)
    if (after === before) throw new Error(`${dir}/${file}: nothing was changed`)
    writeFileSync(join(dir, file), after)
  }
}

/** @returns {(dir: string) => void} */
export function without(file) {
  return (dir) => rmSync(join(dir, file))
}

/** Merges into `input.json`. @returns {(dir: string) => void} */
export function input(change) {
  return (dir) => {
    const file = join(dir, 'input.json')
    const value = JSON.parse(readFileSync(file, 'utf8'))
    writeFileSync(file, JSON.stringify({ ...value, ...change(value) }))
  }
}

/** One after another. @returns {(dir: string) => void} */
export function all(...doctors) {
  return (dir) => {
    for (const doctor of doctors) doctor(dir)
  }
}

/** The first line that is a given kind of event, changed in place. */
export function first(list, type, change) {
  const found = list.find((line) => line.type === type)
  if (found === undefined) throw new Error(`no ${type}`)
  change(found)
  return list
}

/** Without the chunks of the last model call. */
export function withoutLastCall(list) {
  const { turn, step } = list.findLast((line) => line.type === 'assistant/chunk').data
  return list.filter(
    ({ type, data }) => type !== 'assistant/chunk' || data.turn !== turn || data.step !== step,
  )
}

/** With the chunks of the last model call once more, as a call of the turn after. */
export function withCallMore(list) {
  const { turn, step } = list.findLast((line) => line.type === 'assistant/chunk').data
  const chunks = list.filter(
    ({ type, data }) => type === 'assistant/chunk' && data.turn === turn && data.step === step,
  )
  const seq = list.at(-1).seq + 1
  return [
    ...list,
    ...chunks.map((chunk, index) => ({
      ...chunk,
      seq: seq + index,
      data: { ...chunk.data, turn: turn + 1 },
    })),
  ]
}
