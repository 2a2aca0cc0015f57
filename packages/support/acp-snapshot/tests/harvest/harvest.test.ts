import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { harvestSessionLogs } from '../../src/harvest/harvest.ts'
import { header, jsonl, tempTree } from '../temp.ts'

it('collects every log at any depth, primary first', async () => {
  const parent = jsonl(header('p', { createdAt: 5 }))
  const child = jsonl(header('c', { createdAt: 6, parentSession: 'p' }))
  const deep = jsonl(header('d', { createdAt: 7, parentSession: 'p' }))
  const root = tempTree({
    'project/a/session.jsonl': child,
    'project/b/session.jsonl': parent,
    'x/y/z/session.jsonl': deep,
  })
  expect(await harvestSessionLogs(root)).toEqual([
    { path: 'project/b/session.jsonl', text: parent, header: { id: 'p', createdAt: 5 } },
    expect.objectContaining({ path: 'project/a/session.jsonl', text: child }),
    expect.objectContaining({ path: 'x/y/z/session.jsonl', text: deep }),
  ])
})

it('is empty without a root, and passes other errors on', async () => {
  const root = tempTree({ file: '' })
  expect(await harvestSessionLogs(join(root, 'none'))).toEqual([])
  await expect(harvestSessionLogs(join(root, 'file'))).rejects.toThrow('ENOTDIR')
})

it('case R9: names what it cannot take, and ignores only temporary files', async () => {
  const good = jsonl(header('a'))
  const root = tempTree({
    'p/a/session.jsonl': good,
    'p/a/session.1f.tmp': 'half',
    'p/a/.hidden': '',
    'p/b/session.jsonl': 'garbage\n',
    'p/c/session.jsonl': good,
    'p/d/a.tmp.jsonl': '{}',
    'p/d/notes.txt': 'x',
  })
  const found = await harvestSessionLogs(root)
  expect(found.map(({ path, text, problem }) => [path, text, problem])).toEqual([
    ['p/a/session.jsonl', good, undefined],
    ['p/b/session.jsonl', 'garbage\n', expect.stringContaining('line 1 is not JSON: "garbage"')],
    ['p/c/session.jsonl', good, 'p/c/session.jsonl: has the session id of p/a/session.jsonl: a'],
    ['p/d/a.tmp.jsonl', '', 'p/d/a.tmp.jsonl: not a session log (expected session.jsonl)'],
    ['p/d/notes.txt', '', 'p/d/notes.txt: not a session log (expected session.jsonl)'],
  ])
})

it('never waits for what is no regular file, nor takes what is not UTF-8', async () => {
  const root = tempTree({ 'p/a/': '', 'p/b/': '', 'p/c/session.jsonl': jsonl(header('c')) })
  spawnSync('mkfifo', [join(root, 'p/a/session.jsonl')])
  writeFileSync(join(root, 'p/b/session.jsonl'), Buffer.from([0xff]))
  const found = await harvestSessionLogs(root)
  expect(found.map(({ path, problem }) => [path, problem])).toEqual([
    ['p/c/session.jsonl', undefined],
    ['p/a/session.jsonl', 'p/a/session.jsonl: a FIFO, expected a regular file; remove it'],
    ['p/b/session.jsonl', 'p/b/session.jsonl:1: not UTF-8; save it as UTF-8, or record it again'],
  ])
})

it('stops where it is told to', async () => {
  const root = tempTree({ 'p/a/session.jsonl': jsonl(header('a')) })
  const reason = new Error('enough')
  await expect(harvestSessionLogs(root, AbortSignal.abort(reason))).rejects.toBe(reason)
  const controller = new AbortController()
  const harvesting = harvestSessionLogs(root, controller.signal)
  // After the folders are listed, while the file is read.
  const original = controller.signal.throwIfAborted.bind(controller.signal)
  controller.signal.throwIfAborted = () => {
    original()
    controller.abort(reason)
  }
  await expect(harvesting).rejects.toBe(reason)
})

it('keeps the bytes of a log', async () => {
  const root = tempTree({ 'p/s/': '' })
  const text = `${JSON.stringify(header('ü'))}\n{"torn`
  writeFileSync(join(root, 'p/s/session.jsonl'), text)
  expect((await harvestSessionLogs(root))[0]?.text).toBe(text)
})
