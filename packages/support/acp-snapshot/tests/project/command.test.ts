import { join } from 'node:path'
import { expect, it } from 'vitest'
import { absoluteWord } from '../../src/project/command.ts'
import { tempTree } from '../temp.ts'

it('makes absolute what names a file below the folder, and nothing else', () => {
  const dir = tempTree({ 'agent.js': '', node: '', 'a/b.js': '' })
  expect(absoluteWord('agent.js', dir)).toBe(join(dir, 'agent.js'))
  expect(absoluteWord('./a/b.js', dir)).toBe(join(dir, 'a/b.js'))
  expect(absoluteWord('node', dir)).toBe('node')
  expect(absoluteWord('other.js', dir)).toBe('other.js')
  expect(absoluteWord('/agent.js', dir)).toBe('/agent.js')
})
