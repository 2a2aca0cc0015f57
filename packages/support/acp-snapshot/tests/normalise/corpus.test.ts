import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { compareLogs } from '../../src/verdict/compare.ts'
import { loadScenario } from '../../src/scenario/load.ts'
import {
  createNormaliser,
  normaliserForRecording,
  recordingFacts,
} from '../../src/normalise/index.ts'

const root = process.env['DSH_CORPUS_DIR'] ?? ''
const why = root === '' ? 'DSH_CORPUS_DIR is not set' : `DSH_CORPUS_DIR=${root} does not exist`
const present = root !== '' && existsSync(root)

/** Every scenario folder of the corpus, with the texts of its logs in order. */
function scenarios(): { name: string; dir: string; logs: string[] }[] {
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap((group) =>
      readdirSync(join(root, group.name)).map((name) => {
        const dir = join(root, group.name, name)
        const logs = readdirSync(dir)
          .filter((file) => /^session.*\.jsonl$/.test(file))
          .sort((a, b) => (a === 'session.jsonl' ? -1 : b === 'session.jsonl' ? 1 : a < b ? -1 : 1))
          .map((file) => readFileSync(join(dir, file), 'utf8'))
        return { name: `${group.name}/${name}`, dir, logs }
      }),
    )
}

describe.skipIf(!present)(`corpus${present ? '' : ` (skipped: ${why})`}`, () => {
  const all = present ? scenarios() : []

  it('has logs', () => {
    expect(all.flatMap(({ logs }) => logs).length).toBeGreaterThan(30)
  })

  it.each(all)('$name: is normal after one pass', ({ logs }) => {
    const normaliser = normaliserForRecording(logs)
    const once = logs.map((log, rank) => normaliser.log(log, rank))
    const again = normaliserForRecording(once)
    expect(once.map((log, rank) => again.log(log, rank))).toEqual(once)
    expect(once.join('')).not.toMatch(
      /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/,
    )
    expect(once.join('')).not.toContain('acp-snap-cwd-')
  })

  it.each(all)('$name: only times, paths, ids and ranks change', ({ logs }) => {
    const normaliser = normaliserForRecording(logs)
    const { cwdAliases } = recordingFacts(logs)
    const ids = new Map<string, string>()
    logs.forEach((log, rank) => {
      const before = log.split('\n')
      const after = normaliser.log(log, rank).split('\n')
      expect(after.length).toBe(before.length)
      before.forEach((line, index) => {
        let plain = line
          .replace(/"(time0?)":\d+/, '"$1":0')
          .replace(/"dt":\[[-\d,]*\]/, (dt) => dt.replace(/-?\d+/g, '0'))
          .replace(/"(durationMs|delayMs)":[\d.]+/, '"$1":0')
        if (index === 0) plain = plain.replace(/"createdAt":\d+/, `"createdAt":${rank}`)
        for (const alias of cwdAliases) plain = plain.replaceAll(alias, '{{cwd}}')
        if (/"type":"request\/header"/.test(line)) {
          const event = JSON.parse(plain)
          if ('system' in event.data.header) event.data.header.system = '{{system}}'
          if ('tools' in event.data.header) event.data.header.tools = '{{tools}}'
          plain = JSON.stringify(event)
        }
        const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
        const wanted = plain.match(uuid) ?? []
        const got = (after.at(index) ?? '').match(/\{\{(?:session|id)(?:\.\d+)?\}\}/g) ?? []
        wanted.forEach((id, place) => {
          const token = got.at(place) ?? ''
          expect(ids.get(id) ?? token).toBe(token)
          ids.set(id, token)
        })
        let count = 0
        expect(after[index]).toBe(plain.replace(uuid, () => got.at(count++) ?? ''))
      })
    })
    expect(new Set(ids.values()).size).toBe(ids.size)
  })

  it.each(all.filter(({ name }) => name.startsWith('dsh-2026-07/')))(
    '$name: compares equal with its packed twin',
    ({ name, logs }) => {
      const twin = all.find((each) => each.name === name.replace('/', '-packed/'))?.logs ?? []
      const normal = (texts: readonly string[]) => {
        const normaliser = normaliserForRecording(texts)
        return texts.map((text, rank) => ({ name: `${rank}`, text: normaliser.log(text, rank) }))
      }
      expect(twin).toHaveLength(logs.length)
      expect(compareLogs(normal(logs), normal(twin))).toEqual([])
    },
  )

  it.each(all.filter(({ name }) => name.startsWith('dsh-2026-07/')))(
    '$name: loads',
    async (found) => {
      const scenario = await loadScenario(found.dir)
      expect(scenario.logFiles).toHaveLength(found.logs.length)
      expect(scenario.input.source).toBe('authored')
    },
  )

  it('changes no byte of an authored log', () => {
    const authored = all.filter(({ name }) => /^dsh-2026-07\/(?:cancel|error-finish)$/.test(name))
    expect(authored).toHaveLength(2)
    for (const { logs } of authored) {
      const live = createNormaliser({ sessionIds: ['{{sessionId}}'], cwdAliases: ['{{cwd}}'] })
      expect(live.log(logs.at(0) ?? '', 0)).toBe(logs[0])
      expect(normaliserForRecording(logs).log(logs.at(0) ?? '', 0)).toBe(logs[0])
    }
  })
})
