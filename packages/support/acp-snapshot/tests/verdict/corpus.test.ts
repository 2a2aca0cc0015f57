import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { recordingFacts } from '../../src/normalise/recording.ts'
import { compareRecording } from '../../src/verdict/conformance.ts'

const root = process.env['DSH_CORPUS_DIR'] ?? ''
const folder = join(root, 'dsh-2026-07')
const why = root === '' ? 'DSH_CORPUS_DIR is not set' : `${folder} does not exist`
const present = root !== '' && existsSync(folder)

/** What the same events look like when this machine produces them: other ids, paths, times. */
function asLive(text: string, cwds: readonly string[]): string {
  let live = text.replaceAll(/"time":\d+/g, '"time":1').replaceAll('"deepseek-v4-flash"', '"other"')
  for (const cwd of cwds) live = live.replaceAll(cwd, '/run/cwd')
  return live
    .replaceAll('{{cwd}}', '/run/cwd')
    .replaceAll('{{sessionId}}', 'aaaaaaaa-0000-4000-8000-00000000000f')
    .replaceAll(/(?<="(?:id|parentSession)":")[0-9a-f]{8}(?=-)/g, (id) =>
      id.split('').toReversed().join(''),
    )
}

describe.skipIf(!present)(`recordings${present ? '' : ` (skipped: ${why})`}`, () => {
  it.each(present ? readdirSync(folder) : [])(
    '%s: agrees with its like, and only with it',
    (name) => {
      const recorded = readdirSync(join(folder, name))
        .filter((file) => /^session.*\.jsonl$/.test(file))
        .sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
        .map((file) => ({ name: file, text: readFileSync(join(folder, name, file), 'utf8') }))
      const { cwdAliases } = recordingFacts(recorded.map(({ text }) => text))
      const compare = (change: (text: string) => string) =>
        compareRecording(recorded, {
          sessionLogs: recorded.map((log) => ({
            path: log.name,
            text: change(asLive(log.text, cwdAliases)),
          })),
          cwdAliases: ['/run/cwd'],
          sessionIds: [],
        })
      expect(compare((text) => text)).toEqual([])
      const events = recorded.some(({ text }) => text.includes('"step/end"'))
      const changed = compare((text) => text.replace('"step/end"', '"step/over"'))
      expect(changed.length > 0).toBe(events)
    },
  )
})
