import { basename } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readCorpus } from '../../../../../scripts/lib/corpus.ts'
import { recordingFacts } from '../../src/normalise/recording.ts'
import { compareRecording } from '../../src/verdict/conformance.ts'

const corpus = readCorpus(process.env['DSH_CORPUS_DIR'])
const complete = corpus.recordings.filter(({ logs }) =>
  logs.every(({ form }) => form !== 'projected'),
)

/** An id of the same form: that of a hand-written log is a token. */
function otherId(id: string): string {
  const hex = id.replaceAll('-', '')
  if (!/^[0-9a-f]{32}$/.test(hex)) return 'aaaaaaaa-0000-4000-8000-00000000000f'
  return id.replace(/^[0-9a-f]{8}/, (digits) => digits.split('').toReversed().join(''))
}

/** What the same events look like when they are produced anew: other ids, times, another model. */
function asLive(text: string, ids: readonly string[]): string {
  let live = text
    .replaceAll(/"(time0?|createdAt)":\d+/g, '"$1":1')
    .replaceAll(/("config":\{"model":)"[^"]*"/g, '$1"other"')
  for (const id of ids) live = live.replaceAll(id, otherId(id))
  return live
}

describe.skipIf(corpus.why !== '')(`recordings${corpus.why}`, () => {
  it('are there', () => {
    expect(complete.length).toBeGreaterThan(0)
  })

  it.each(complete)('$name: agrees with its like, and only with it', ({ logs }) => {
    const recorded = logs.map(({ file, text }) => ({ name: basename(file), text }))
    const { cwdAliases, sessionIds } = recordingFacts(recorded.map(({ text }) => text))
    const compare = (change: (text: string) => string) =>
      compareRecording(recorded, {
        sessionLogs: recorded.map((log) => ({
          path: log.name,
          text: change(asLive(log.text, sessionIds)),
        })),
        cwdAliases: cwdAliases.length > 0 ? cwdAliases : ['{{cwd}}'],
        sessionIds: [],
      })
    expect(compare((text) => text)).toEqual([])
    const events = recorded.some(({ text }) => text.includes('"step/end"'))
    const changed = compare((text) => text.replace('"step/end"', '"step/over"'))
    expect(changed.length > 0).toBe(events)
  })
})
