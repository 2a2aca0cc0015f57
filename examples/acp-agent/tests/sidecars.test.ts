import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  conform,
  loadScenario,
  refreshScenario,
  renderVerdict,
  replayScenario,
  type Verdict,
} from 'dsh-acp-snapshot'
import { describe, expect, it } from 'vitest'
import { COMMITTED, tempDir } from './recording.ts'

const BIN = fileURLToPath(new URL('../bin.js', import.meta.url))
const options = { agent: { command: [process.execPath, BIN] }, keepFailed: false } as const

/** A copy of a committed scenario, with other files in it. */
async function copyOf(name: string, files: Readonly<Record<string, string>> = {}): Promise<string> {
  const dir = join(tempDir(), name)
  await cp(join(COMMITTED, name), dir, { recursive: true })
  for (const [file, text] of Object.entries(files)) await writeFile(join(dir, file), text)
  return dir
}

const replay = async (dir: string): Promise<Verdict> =>
  (await replayScenario(await loadScenario(dir), options)).verdict
const text = (dir: string, file: string): Promise<string> => readFile(join(dir, file), 'utf8')
const patches = (...all: object[]): string => JSON.stringify({ patches: all })
const block = { type: 'block-start', index: 0, blockType: 'text' }
const said = (words: string): object => ({ type: 'text-delta', index: 0, text: words })

describe('a sidecar with patches', () => {
  it('stands for the one call of a child that has no end; the cancel waits for it', async () => {
    const script = JSON.parse(
      await text(join(COMMITTED, 'parent-cancelled'), 'replay.override.1.json'),
    )
    const dir = await copyOf('parent-cancelled', {
      'replay.override.1.json': patches({ at: 0, entry: script[0] }),
    })
    const verdict = await replay(dir)
    expect(verdict.status, renderVerdict(verdict)).toBe('passed')
    // A recording of our own tells of failures, as those of other programs do not.
    const agent = { ...options.agent, env: { DSH_SNAPSHOT_CONFORMANCE: '0' } }
    const conformed = await conform(dir, { ...options, agent })
    expect(conformed.status, renderVerdict(conformed)).toBe('passed')
  })

  it('changes the last call of a child; refresh writes what comes of it, and the rest stays', async () => {
    const chunks = [block, said('Three, I th')]
    const entry = { kind: 'throw', chunks, message: 'invalid key', code: 'AUTH', status: 401 }
    const dir = await copyOf('subagent-spawn', {
      'replay.override.1.json': patches({ at: 1, entry }),
    })
    const red = await replay(dir)
    expect(red.remedy, renderVerdict(red)).toBe('refresh')
    const { verdict, written, problem } = await refreshScenario(await loadScenario(dir), options)
    expect(problem).toBeUndefined()
    expect(verdict.status, renderVerdict(verdict)).toBe('passed')
    expect([...written].sort()).toEqual([
      'session.1.jsonl',
      'session.jsonl',
      'stdout.expected.jsonl',
    ])
    expect(await text(dir, 'session.jsonl')).toContain('Error: subagent run failed')
    const child = await text(dir, 'session.1.jsonl')
    // The call before it is still the log's own.
    expect(child).toContain('wc -l < notes.txt')
    expect(child).toContain('"message":"invalid key"')
    const again = await replay(dir)
    expect(again.status, renderVerdict(again)).toBe('passed')
  })

  it('changes one call of the primary too', async () => {
    const entry = {
      kind: 'chunks',
      chunks: [block, said('Three.'), { type: 'finish', reason: { kind: 'stop' } }],
    }
    const dir = await copyOf('subagent-spawn', {
      'replay.override.json': patches({ at: 1, entry }),
    })
    const { verdict, written } = await refreshScenario(await loadScenario(dir), options)
    expect(verdict.status, renderVerdict(verdict)).toBe('passed')
    expect([...written].sort()).toEqual(['session.jsonl', 'stdout.expected.jsonl'])
    expect(await text(dir, 'stdout.expected.jsonl')).toContain('"text":"Three."')
  })

  it('case R9: beyond its log is told before any agent starts', async () => {
    const dir = await copyOf('subagent-spawn', {
      'replay.override.1.json': patches({ at: 2, entry: { kind: 'hang' } }),
    })
    await expect(loadScenario(dir)).rejects.toThrow(
      'subagent-spawn/replay.override.1.json: patch 0 is at 2, but subagent-spawn/session.1.jsonl ' +
        'holds 2 model calls: expected "at" from 0 to 1',
    )
  })
})
