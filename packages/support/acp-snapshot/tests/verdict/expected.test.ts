import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readExpected } from '../../src/verdict/expected.ts'
import { header, jsonl, tempTree } from '../temp.ts'
import { scenario } from './run-result.ts'

it('reads what is there', async () => {
  const texts = [
    jsonl(header('a', { root: 0 })),
    jsonl(header('b', { parentSession: 'a', createdAt: 1 })),
  ] as const
  const dir = tempTree({
    'session.jsonl': texts[0],
    'session.1.jsonl': texts[1],
    out: 'c',
    sys: 'd',
    tools: 'e',
    'over.json': '[{"kind":"hang"}]',
  })
  const at = (name: string) => join(dir, name)
  const logFiles = [at('session.jsonl'), at('session.1.jsonl')]
  const logs = texts.map((text, n) => ({
    name: n === 0 ? 'session.jsonl' : 'session.1.jsonl',
    text,
  }))
  const lanes = [
    { file: 'session.jsonl', calls: 0, lineage: '0' },
    { file: 'session.1.jsonl', calls: 0 },
  ]
  expect(await readExpected(scenario({ logFiles }))).toEqual({ logs, lanes })
  const pinnedHeader = { systemFile: at('sys'), toolsFile: at('tools') }
  const overrideFile = at('over.json')
  expect(
    await readExpected(scenario({ logFiles, stdoutFile: at('out'), pinnedHeader, overrideFile })),
  ).toEqual({
    logs,
    lanes: [{ ...lanes[0], calls: 1 }, lanes[1]],
    stdout: 'c',
    pinned: { system: 'd', tools: 'e' },
  })
  expect(await readExpected(scenario({ logFiles: [] }))).toEqual({ logs: [], lanes: [] })
  await expect(readExpected(scenario({ logFiles: [at('none')] }))).rejects.toThrow('ENOENT')
})
