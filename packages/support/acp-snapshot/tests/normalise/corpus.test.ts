import { isTime, parseSessionLog, UUID_PATTERN } from 'dsh-llm-replay'
import { describe, expect, it } from 'vitest'
import { packedTwin, readCorpus, type Recording } from '../../../../../scripts/lib/corpus.ts'
import { isFields } from '../../src/log/lines.ts'
import {
  createNormaliser,
  normaliserForRecording,
  recordingFacts,
} from '../../src/normalise/index.ts'
import { loadScenario } from '../../src/scenario/load.ts'
import { compareLogs } from '../../src/verdict/compare.ts'

const corpus = readCorpus(process.env['DSH_CORPUS_DIR'])
const all = corpus.recordings.map((recording) => ({
  ...recording,
  texts: recording.logs.map(({ text }) => text),
}))
const twins = all.flatMap(({ name, logs, texts }) => {
  const packed = logs.map((log) => packedTwin(corpus, log)?.text)
  return packed.includes(undefined) ? [] : [{ name, texts, packed: packed as string[] }]
})
const scenarios = all.filter(({ files }) => files.includes('input.json'))
const TOKEN = /\{\{(?:session|id)(?:\.\d+)?\}\}/g
const UUID = new RegExp(UUID_PATTERN, 'g')
const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

/** Written by hand, with nothing in it that differs from run to run, and no text of a prompt. */
const authored = all.filter(({ texts }) =>
  texts.every(
    (text) =>
      /^\{[^\n]*"id":"\{\{sessionId\}\}","createdAt":0,"cwd":"\{\{cwd\}\}"/.test(text) &&
      !/"time0?":[1-9]|"dt":|"(?:system|tools)":/.test(text) &&
      text.match(UUID) === null,
  ),
)

/** `/private/tmp/x` before `/tmp/x`, which it holds. */
function aliasesOf(texts: readonly string[]): string[] {
  return [...recordingFacts(texts).cwdAliases].toSorted((a, b) => b.length - a.length)
}

/** Whether a path runs over several deltas: then it stands in none of them. */
function isCut({ texts }: { readonly texts: readonly string[] }): boolean {
  const aliases = aliasesOf(texts)
  const count = (text: string): number =>
    aliases.reduce((sum, alias) => sum + text.split(alias).length - 1, 0)
  return texts.some((text) => {
    const deltas = parseSessionLog(text).flatMap(({ data }) => {
      const chunk = isFields(data) && isFields(data['chunk']) ? data['chunk'] : {}
      const delta = chunk['text'] ?? chunk['argumentsDelta']
      return typeof delta === 'string' ? [delta] : []
    })
    return count(deltas.join('')) !== deltas.reduce((sum, delta) => sum + count(delta), 0)
  })
}

/** Says where a value and its normal form differ in more than they may. */
class Comparison {
  /** Each id and its token. */
  readonly ids = new Map<string, string>()
  private readonly aliases: readonly string[]
  private readonly cut: boolean

  constructor(texts: readonly string[]) {
    this.aliases = aliasesOf(texts)
    this.cut = isCut({ texts })
  }

  of(before: unknown, after: unknown, key: string, place: string): string[] {
    if (typeof before === 'string' && typeof after === 'string') {
      return this.ofTexts(before, after, key, place)
    }
    if (typeof before === 'number') {
      const zeroed = isTime(key, before) || ['time', 'time0', 'delayMs', 'dt'].includes(key)
      return after === (zeroed ? 0 : before) ? [] : [`${place}: ${before} is ${String(after)}`]
    }
    if (Array.isArray(before) && Array.isArray(after)) {
      if (before.length !== after.length) return [`${place}: another length`]
      return before.flatMap((item, at) => this.of(item, after[at], key, `${place}[${at}]`))
    }
    if (!isFields(before) || !isFields(after)) return before === after ? [] : [`${place}: differs`]
    if (Object.keys(before).join() !== Object.keys(after).join()) return [`${place}: other keys`]
    return Object.entries(before).flatMap(([name, item]) =>
      this.of(item, after[name], name, `${place}.${name}`),
    )
  }

  private ofTexts(before: string, after: string, key: string, place: string): string[] {
    if (this.cut && ['text', 'argumentsDelta', 'texts', 'args'].includes(key)) return []
    let plain = before
    for (const alias of this.aliases) plain = plain.replaceAll(alias, '{{cwd}}')
    const tokens = after.match(TOKEN) ?? []
    const own: readonly string[] = before.match(TOKEN) ?? []
    let next = 0
    const wanted = plain.replace(new RegExp(`${UUID.source}|${TOKEN.source}`, 'g'), (id) => {
      const token = tokens.at(next++) ?? ''
      if (!own.includes(id)) {
        if ((this.ids.get(id) ?? token) !== token) return `${id}, which is ${this.ids.get(id)}`
        this.ids.set(id, token)
      }
      return token
    })
    return wanted === after ? [] : [`${place}: ${wanted} is ${after}`]
  }
}

/** The texts of prompts and tools are told apart, and not kept. */
function withoutTexts(line: unknown): unknown {
  if (!isFields(line) || !String(line['type']).startsWith('request/header')) return line
  const { data, ...rest } = line
  if (!isFields(data)) return line
  if (line['type'] === 'request/header-delta') return rest
  const header = { ...(data['header'] as object), system: '', tools: '' }
  return { ...rest, data: { ...data, header } }
}

describe.skipIf(corpus.why !== '')(`recordings${corpus.why}`, () => {
  it('are there', () => {
    expect(all.flatMap(({ texts }) => texts).length).toBeGreaterThan(0)
  })

  it.each(all)('$name: is normal after one pass', ({ texts }) => {
    const normaliser = normaliserForRecording(texts)
    const once = texts.map((log, rank) => normaliser.log(log, rank))
    const again = normaliserForRecording(once)
    expect(once.map((log, rank) => again.log(log, rank))).toEqual(once)
    expect(once.join('')).not.toMatch(UUID)
    for (const alias of aliasesOf(texts)) {
      expect(once.join('')).not.toMatch(new RegExp(`(?<![\\w./~-])${escaped(alias)}(?=["/\\s])`))
    }
  })

  it.each(all)('$name: only times, paths, ids and ranks change', ({ texts }) => {
    const normaliser = normaliserForRecording(texts)
    const comparison = new Comparison(texts)
    const linesOf = (text: string): Record<string, unknown>[] =>
      text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Record<string, unknown>)
    texts.forEach((text, rank) => {
      const before = linesOf(text)
      const after = linesOf(normaliser.log(text, rank))
      expect(after).toHaveLength(before.length)
      expect(after[0]?.['createdAt']).toBe(rank)
      const wanted = [{ ...before[0], createdAt: rank }, ...before.slice(1)]
      const differences = wanted.flatMap((line, index) =>
        comparison.of(withoutTexts(line), withoutTexts(after[index]), '', `line ${index + 1}`),
      )
      expect(differences).toEqual([])
    })
    const { ids } = comparison
    expect(new Set(ids.values()).size).toBe(ids.size)
  })

  it.each(twins)('$name: compares equal with its packed twin', ({ texts, packed }) => {
    const normal = (logs: readonly string[]) => {
      const normaliser = normaliserForRecording(logs)
      return logs.map((text, rank) => ({ name: `${rank}`, text: normaliser.log(text, rank) }))
    }
    expect(compareLogs(normal(texts), normal(packed))).toEqual([])
  })

  it.each(scenarios)('$name: loads', async ({ dir, logs }: Recording) => {
    const scenario = await loadScenario(dir)
    expect(scenario.logFiles).toHaveLength(logs.length)
    expect(scenario.input.source).toBe('authored')
  })

  it.each(authored)('$name: no byte of an authored log changes', ({ texts }) => {
    const live = createNormaliser({ sessionIds: ['{{sessionId}}'], cwdAliases: ['{{cwd}}'] })
    const normaliser = normaliserForRecording(texts)
    for (const [rank, text] of texts.entries()) {
      expect(live.log(text, rank)).toBe(text)
      expect(normaliser.log(text, rank)).toBe(text)
    }
  })
})
