import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { packedTwin, readCorpus, type RecordedLog } from '../lib/corpus.ts'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'dsh-corpus-'))
})
afterEach(() => rmSync(root, { recursive: true }))

const header = '{"type":"session","id":"a"}\n'
const event = '{"type":"x","seq":0,"time":0,"data":0}\n'
const row = '{"type":"text-chunks","seq0":1,"time0":0,"data":{}}\n'
const bare = '{"type":"x","data":0}\n'
function write(name: string, text: string): void {
  mkdirSync(dirname(join(root, name)), { recursive: true })
  writeFileSync(join(root, name), text)
}

it('finds recordings in whatever sets, at whatever depth, with logs in the order of their numbers', () => {
  for (const number of ['.10', '.2', '']) write(`2031/deep/one/session${number}.jsonl`, header)
  write('2031/deep/one/session.x.jsonl', 'x')
  write('2031/deep/one/workspace/session.jsonl', 'x')
  write('2030/b/session.jsonl', header)
  write('2030/a/session.jsonl', header)
  write('2030/none/session.1.jsonl', header)
  write('README.md', 'x')
  const { recordings, logs, why } = readCorpus(root)
  expect(recordings.map(({ name }) => name)).toEqual(['2030/a', '2030/b', '2031/deep/one'])
  expect(logs.slice(2).map(({ name }) => name)).toEqual([
    '2031/deep/one/session.jsonl',
    '2031/deep/one/session.2.jsonl',
    '2031/deep/one/session.10.jsonl',
  ])
  expect(recordings[2]?.dir).toBe(join(root, '2031/deep/one'))
  expect(recordings[2]?.files.toSorted().at(-1)).toBe('session.x.jsonl')
  expect(logs[0]).toMatchObject({ file: join(root, '2030/a/session.jsonl'), text: header })
  expect(why).toBe('')
})

it.each([
  [header, 'plain'],
  [header + event, 'plain'],
  [header + event + row, 'packed'],
  [header + event + bare, 'projected'],
  [header + row + bare, 'projected'],
])('tells the form of %j: %s', (text, form) => {
  write('s/a/session.jsonl', text)
  expect(readCorpus(root).logs[0]?.form).toBe(form)
})

it('pairs a log with its packed twin, if that begins alike', () => {
  write('s/a/session.jsonl', header + event + event)
  write('s-packed/a/session.jsonl', header + event + row)
  write('s/b/session.jsonl', header + event)
  write('s-packed/b/session.jsonl', header + row)
  write('s/c/session.jsonl', header + event)
  const corpus = readCorpus(root)
  const twinOf = (name: string) =>
    packedTwin(corpus, corpus.logs.find((log) => log.name === name) as RecordedLog)?.name
  expect(twinOf('s/a/session.jsonl')).toBe('s-packed/a/session.jsonl')
  expect(twinOf('s/b/session.jsonl')).toBeUndefined()
  expect(twinOf('s/c/session.jsonl')).toBeUndefined()
})

it('says why there is nothing, and refuses a folder that holds none', () => {
  expect(readCorpus(undefined).why).toBe(' (skipped: DSH_CORPUS_DIR is not set)')
  expect(readCorpus('').why).toBe(' (skipped: DSH_CORPUS_DIR is not set)')
  expect(readCorpus(join(root, 'x'))).toEqual({
    recordings: [],
    logs: [],
    why: ` (skipped: DSH_CORPUS_DIR=${join(root, 'x')} is no folder)`,
  })
  expect(() => readCorpus(root)).toThrow(`${root} holds no recording: no folder has session.jsonl`)
})
