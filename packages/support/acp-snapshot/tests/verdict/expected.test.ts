import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readExpected } from '../../src/verdict/expected.ts'
import { tempTree } from '../temp.ts'
import { scenario } from './run-result.ts'

it('reads what is there', async () => {
  const dir = tempTree({
    'session.jsonl': 'a',
    'session.1.jsonl': 'b',
    out: 'c',
    sys: 'd',
    tools: 'e',
  })
  const at = (name: string) => join(dir, name)
  const logFiles = [at('session.jsonl'), at('session.1.jsonl')]
  const logs = [
    { name: 'session.jsonl', text: 'a' },
    { name: 'session.1.jsonl', text: 'b' },
  ]
  expect(await readExpected(scenario({ logFiles }))).toEqual({ logs })
  const pinnedHeader = { systemFile: at('sys'), toolsFile: at('tools') }
  expect(await readExpected(scenario({ logFiles, stdoutFile: at('out'), pinnedHeader }))).toEqual({
    logs,
    stdout: 'c',
    pinned: { system: 'd', tools: 'e' },
  })
  await expect(readExpected(scenario({ logFiles: [at('none')] }))).rejects.toThrow('ENOENT')
})
