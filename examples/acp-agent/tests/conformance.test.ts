import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { conform, renderVerdict } from 'dsh-acp-snapshot'
import { describe, expect, it } from 'vitest'

const AGENT = fileURLToPath(new URL('../bin.js', import.meta.url))
const SET = 'dsh-2026-07'
const corpus = process.env['DSH_CORPUS_DIR'] ?? ''

/** Why there is nothing to replay here, where that is no mistake. */
function absence(): string | undefined {
  if (corpus === '') return 'DSH_CORPUS_DIR names no folder of recordings'
  return existsSync(corpus) ? undefined : `DSH_CORPUS_DIR names ${corpus}, which is not there`
}

function recordingNames(): string[] {
  const dir = join(corpus, SET)
  if (!existsSync(dir)) return []
  return readdirSync(dir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
}

const reason = absence()
if (reason === undefined) {
  describe('recordings of another program replay event for event', () => {
    const names = recordingNames()
    it('there are recordings', () => {
      expect(names, `${corpus} holds no recordings in ${SET}/`).not.toEqual([])
    })
    for (const name of names) {
      it(name, async () => {
        const verdict = await conform(join(corpus, SET, name), {
          agent: { command: [process.execPath, AGENT] },
          keepFailed: false,
        })
        expect(verdict.status, renderVerdict(verdict)).toBe('passed')
      })
    }
  })
} else {
  it.skip(`conformance: ${reason}`, () => {})
}
