import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  deriveReplayScript,
  loadSessionScripts,
  parseSessionHeader,
  parseSessionLog,
} from '../src/index.ts'
import { call, collect, testContext } from './helpers/agent.ts'
import { installLlmReplay } from '../src/index.ts'

const corpus = process.env.DSH_CORPUS_DIR ?? ''
const missing = corpus === '' || !existsSync(corpus)
if (missing) console.log('recordings: skipped, since DSH_CORPUS_DIR names no folder')

function scenarios(...folders: string[]): [string, string][] {
  if (missing) return []
  return folders.flatMap((folder) =>
    readdirSync(join(corpus, folder)).map((name): [string, string] => [
      `${folder}/${name}`,
      join(corpus, folder, name),
    ]),
  )
}

function files(folder: string): { file: string; childFiles: string[]; overrideFile?: string } {
  const names = readdirSync(folder)
  const children = names.filter((name) => /^session\.\d+\.jsonl$/.test(name))
  const override = names.find((name) => name === 'replay.override.json')
  return {
    file: join(folder, 'session.jsonl'),
    childFiles: children.map((name) => join(folder, name)),
    ...(override === undefined ? {} : { overrideFile: join(folder, override) }),
  }
}

/** Counts finishes in the text of a log, after the events that it inherited. */
function finishes(text: string): number {
  const [head = '', ...lines] = text.trimEnd().split('\n')
  const seed = (JSON.parse(head) as { seedLength?: number }).seedLength ?? 0
  return lines.slice(seed).filter((line) => line.includes('"chunk":{"type":"finish"')).length
}

describe.skipIf(missing)('recordings that other people made', () => {
  it.each(scenarios('dsh-2026-07', 'dsh-2026-07-logs'))(
    '%s: every answer is derived',
    (_, folder) => {
      const config = files(folder)
      for (const [lane, script] of loadSessionScripts(config).entries()) {
        if (lane === 0 && config.overrideFile !== undefined) expect(script.entries).toHaveLength(1)
        else expect(script.entries).toHaveLength(finishes(readFileSync(script.file, 'utf8')))
      }
    },
  )

  it.each(scenarios('dsh-2026-07'))('%s: the packed form answers the same', (_, folder) => {
    for (const file of [files(folder).file, ...files(folder).childFiles]) {
      const plain = readFileSync(file, 'utf8')
      const packed = readFileSync(file.replace('/dsh-2026-07/', '/dsh-2026-07-packed/'), 'utf8')
      expect(parseSessionLog(packed)).toEqual(parseSessionLog(plain))
    }
  })

  it.each(scenarios('dsh-2026-08-packed', 'dsh-2026-08-projected'))(
    '%s: later forms load',
    (_, folder) => {
      const scripts = loadSessionScripts(files(folder))
      expect(scripts.every(({ entries }) => entries.length > 0)).toBe(true)
    },
  )

  it.each(scenarios('dsh-2026-07-logs'))(
    '%s: events of other plugins change nothing',
    (_, folder) => {
      const { file, childFiles } = files(folder)
      for (const path of [file, ...childFiles]) {
        const text = readFileSync(path, 'utf8')
        const events = parseSessionLog(text)
        const chunks = events.filter(({ type }) => type === 'assistant/chunk')
        const header = parseSessionHeader(text)
        expect(deriveReplayScript(events, header)).toEqual(deriveReplayScript(chunks, header))
      }
    },
  )

  it('a cancelled call without its sidecar is refused, a call without chunks is not seen', () => {
    const load = (name: string) =>
      loadSessionScripts({ file: join(corpus, 'dsh-2026-07', name, 'session.jsonl') })
    expect(() => load('cancel')).toThrow('llm-replay: model call 1/1 ended without a finish chunk')
    expect(load('error-finish')[0]?.entries).toEqual([])
    expect(load('handshake')[0]?.entries).toEqual([])
  })

  it('case R2: a fork answers with its own call, not with what it inherited', async () => {
    const folder = join(corpus, 'dsh-2026-07', 'subagent-fork')
    const ctx = await testContext()
    installLlmReplay(ctx, files(folder))
    const [parent, child] = loadSessionScripts(files(folder))
    expect(await collect(call(ctx, 'parent'))).toEqual(parent?.entries[0]?.chunks)
    expect(await collect(call(ctx, 'child'))).toEqual(child?.entries[0]?.chunks)
    expect(parent?.entries).not.toContainEqual(child?.entries[0])
  })
})
