import { fileURLToPath } from 'node:url'
import { conform, renderVerdict } from 'dsh-acp-snapshot'
import { describe, expect, it } from 'vitest'
import { readCorpus } from '../../../scripts/lib/corpus.ts'

const AGENT = fileURLToPath(new URL('../bin.js', import.meta.url))
/** Later sets hold events that this agent does not log. */
const SET = 'dsh-2026-07'
const corpus = readCorpus(process.env['DSH_CORPUS_DIR'])

if (corpus.why === '') {
  describe('recordings of another program replay event for event', () => {
    const scenarios = corpus.recordings.filter(
      ({ name, files }) => name.startsWith(SET) && files.includes('input.json'),
    )
    it('there are recordings', () => {
      expect(scenarios, `DSH_CORPUS_DIR holds no recordings with a script in ${SET}/`).not.toEqual(
        [],
      )
    })
    for (const { name, dir } of scenarios) {
      it(name, async () => {
        const verdict = await conform(dir, {
          agent: { command: [process.execPath, AGENT] },
          keepFailed: false,
        })
        expect(verdict.status, renderVerdict(verdict)).toBe('passed')
      })
    }
  })
} else {
  it.skip(`conformance${corpus.why}`, () => {})
}
