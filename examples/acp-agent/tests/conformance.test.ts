import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { conform, renderVerdict } from 'dsh-acp-snapshot'
import { describe, expect, it } from 'vitest'

const AGENT = fileURLToPath(new URL('../bin.js', import.meta.url))
const corpus = process.env['DSH_CORPUS_DIR']
const recordings = corpus === undefined || corpus === '' ? undefined : join(corpus, 'dsh-2026-07')
const present = recordings !== undefined && existsSync(recordings)
if (!present) {
  process.stderr.write('conformance: skipped, DSH_CORPUS_DIR names no folder of recordings\n')
}

describe.skipIf(!present)('recordings of another program replay event for event', () => {
  const names = present ? readdirSync(recordings).sort() : []
  it.each(names)('%s', async (name) => {
    const verdict = await conform(join(recordings as string, name), {
      agent: { command: [process.execPath, AGENT] },
      keepFailed: false,
    })
    expect(verdict.status, renderVerdict(verdict)).toBe('passed')
  })
})
