import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseAgentCommand } from '../../src/cli/agent-command.ts'
import { tempTree } from '../temp.ts'

describe('parseAgentCommand', () => {
  it('makes the files of the working directory absolute, and leaves the rest', () => {
    const dir = tempTree({ 'agent.js': '', node: '', 'sub/a b.js': '' })
    const parse = (text: string) => parseAgentCommand(text, dir).command
    expect(parse(' node  agent.js --flag x.y')).toEqual([
      'node',
      join(dir, 'agent.js'),
      '--flag',
      'x.y',
    ])
    expect(parse('["node","sub/a b.js"]')).toEqual(['node', join(dir, 'sub/a b.js')])
    expect(parse('/abs/agent')).toEqual(['/abs/agent'])
  })

  it.each([
    [
      undefined,
      '--agent is missing: give the program and its arguments, as --agent "node agent.js"',
    ],
    ['', '--agent is missing: give the program and its arguments, as --agent "node agent.js"'],
    ['[]', '--agent is missing: give the program and its arguments, as --agent "node agent.js"'],
    ['[1]', '--agent must be an array of strings, got [1]'],
    ['["a"', '--agent is no JSON array: ["a"'],
  ])('refuses %j', (text, message) => {
    expect(() => parseAgentCommand(text, '/')).toThrow(
      expect.objectContaining({ code: 'BAD_USAGE', message }),
    )
  })
})
