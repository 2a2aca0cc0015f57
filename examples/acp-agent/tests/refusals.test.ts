import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  loadScenario,
  type NormaliseRule,
  renderVerdict,
  replayScenario,
  type Verdict,
} from 'dsh-acp-snapshot'
import { describe, expect, it } from 'vitest'
import { COMMITTED, tempDir } from './recording.ts'

const BIN = fileURLToPath(new URL('../bin.js', import.meta.url))

/** Replays a copy of a committed scenario after its recording was changed. */
async function replayChanged(
  name: string,
  change: (dir: string) => Promise<void>,
  normalise: readonly NormaliseRule[] = [],
): Promise<Verdict> {
  const dir = join(tempDir(), name)
  await cp(join(COMMITTED, name), dir, { recursive: true })
  await change(dir)
  const agent = { command: [process.execPath, BIN] } as const
  const options = { agent, normalise, keepFailed: false }
  return (await replayScenario(await loadScenario(dir), options)).verdict
}

/** Keeps or adds events of a log: those of a model call are known by their step. */
async function rewrite(
  dir: string,
  file: string,
  change: (lines: string[]) => string[],
): Promise<void> {
  const path = join(dir, file)
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n')
  await writeFile(path, `${change(lines).join('\n')}\n`)
}
const isChunkOf =
  (step: number) =>
  (line: string): boolean =>
    line.startsWith('{"type":"assistant/chunk"') && line.includes(`"step":${step},`)

/** Without the events of a step and all that follows; what is left is numbered as before. */
const until =
  (step: number) =>
  (lines: string[]): string[] =>
    lines.slice(
      0,
      lines.findIndex((line) => line.includes(`"step":${step}}`) && line.includes('step/start')),
    )

const kinds = ({ findings }: Verdict): string[] => findings.map(({ kind }) => kind)

describe('case R7: the parent handles the failure of its child and ends its turn in order', () => {
  it('case R8: a call too many is red as that, with lane and call', async () => {
    const verdict = await replayChanged('subagent-spawn', (dir) =>
      rewrite(dir, 'session.1.jsonl', until(2)),
    )
    expect(verdict.findings[0], renderVerdict(verdict)).toMatchObject({
      kind: 'extra-call',
      code: 'SCRIPT_EXHAUSTED',
      lane: 1,
      call: 2,
      message: expect.stringContaining('holds 1 recorded call, the last in step 1/1'),
    })
    // In the agent's own words nothing was wrong: no step of the client failed.
    expect(kinds(verdict)).not.toContain('fault')
    expect(kinds(verdict)).not.toContain('poisoned')
    expect(verdict).toMatchObject({ status: 'failed', remedy: 'record' })
  })

  it('a session too many is red as that', async () => {
    const verdict = await replayChanged('subagent-multi', (dir) => rm(join(dir, 'session.2.jsonl')))
    expect(verdict.findings[0], renderVerdict(verdict)).toMatchObject({
      kind: 'unrecorded-session',
      code: 'UNRECORDED_SESSION',
      message: expect.stringContaining('lineage 0/1.'),
    })
    expect(kinds(verdict)).not.toContain('fault')
  })
})

describe('what was recorded and is not called for', () => {
  it('is red as a leftover of its lane', async () => {
    const verdict = await replayChanged('subagent-spawn', (dir) =>
      rewrite(dir, 'session.1.jsonl', (lines) => {
        const more = lines.filter(isChunkOf(2))
        return [
          ...lines,
          ...more.map((line, index) =>
            line
              .replace('"step":2,', '"step":3,')
              .replace(/"seq":\d+/, `"seq":${lines.length - 1 + index}`),
          ),
        ]
      }),
    )
    expect(verdict.findings[0], renderVerdict(verdict)).toEqual({
      kind: 'leftover',
      lane: 1,
      file: 'session.1.jsonl',
      served: 2,
      left: 1,
    })
  })

  it('case R3: is red as a missing retry where it was one', async () => {
    const verdict = await replayChanged('subagent-spawn', (dir) =>
      rewrite(dir, 'session.1.jsonl', (lines) => {
        const more = lines.filter(isChunkOf(2))
        return [
          ...lines,
          ...more.map((line, index) =>
            line.replace(/"seq":\d+/, `"seq":${lines.length - 1 + index}`),
          ),
        ]
      }),
    )
    expect(verdict.findings[0], renderVerdict(verdict)).toMatchObject({
      kind: 'missing-retry',
      lane: 1,
      call: 3,
    })
    expect(verdict.remedy).toBe('record')
  })
})

describe('case R13: a child that is told something else than its parent', () => {
  it.each([
    ['"system":"{{system}}"', '"system":"{{system.1}}"', 'data.header.system'],
    ['"tools":"{{tools}}"', '"tools":"{{tools.1}}"', 'data.header.tools'],
  ])('is another one than a child that is told the same (%s)', async (same, other, path) => {
    const verdict = await replayChanged('subagent-spawn', (dir) =>
      rewrite(dir, 'session.1.jsonl', (lines) => lines.map((line) => line.replace(same, other))),
    )
    expect(verdict.findings, renderVerdict(verdict)).toMatchObject([
      { kind: 'log-differs', file: 'session.1.jsonl', difference: { path } },
    ])
    expect(verdict.remedy).toBe('refresh')
  })
})

describe('what the model is asked, where requests are strict', () => {
  const goods = (pattern: string) => [{ pattern, token: '{{goods}}' }]
  const otherGoods = async (dir: string): Promise<void> => {
    for (const file of ['session.jsonl', 'stdout.expected.jsonl']) {
      await rewrite(dir, file, (lines) =>
        lines.map((line) => line.replace('two lemons', 'two pears')),
      )
    }
  }

  it('is no drift where a rule of the project takes what varies in a tool result', async () => {
    const verdict = await replayChanged('fs-read', otherGoods, goods('- two [a-z]+'))
    expect(verdict.status, renderVerdict(verdict)).toBe('passed')
  })

  it('is one where the rule does not reach it', async () => {
    const verdict = await replayChanged('fs-read', otherGoods, goods('- two [0-9]+'))
    expect(verdict.findings.at(-1), renderVerdict(verdict)).toMatchObject({
      kind: 'request-drift',
      path: 'messages[2].content[0].content[0].text',
    })
  })
})
