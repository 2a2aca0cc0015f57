import { expect, it } from 'vitest'
import { replayedCommands } from '../../src/record/commands.ts'
import { header, jsonl } from '../temp.ts'

const call = (seq: number, args: unknown, name = 'bash') => ({
  type: 'tool/call',
  seq,
  time: 0,
  data: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
})
const log = (...lines: unknown[]) => [{ name: 'session.jsonl', text: jsonl(...lines) }]

it('lists what the shell will run, with what is wrong with it', () => {
  const logs = log(
    header('a'),
    call(0, { command: 'ls' }),
    call(1, { command: 'curl x', workdir: '/srv' }),
    call(2, { command: 'x', workdir: 7 }),
  )
  expect(replayedCommands(logs, { allowCommands: ['curl'] })).toEqual([
    { file: 'session.jsonl', command: 'ls', problems: [] },
    {
      file: 'session.jsonl',
      command: 'curl x',
      problems: [{ name: '/srv', reason: '/srv lies outside the working directory' }],
    },
    { file: 'session.jsonl', command: 'x', problems: [] },
  ])
})

it('leaves out what never reaches the shell', () => {
  const logs = log(
    header('a'),
    call(0, '{"comm'),
    call(1, '[1]'),
    call(2, { other: 1 }),
    call(3, { command: 'ls' }, 'read'),
    { type: 'tool/call', seq: 4, time: 0, data: null },
    { ...call(5, { command: 'ls' }), type: 'tool/note' },
  )
  expect(replayedCommands(logs, {})).toEqual([])
})

it('has nothing to say of a log without lines', () => {
  expect(replayedCommands([{ name: 'session.jsonl', text: '' }], {})).toEqual([])
})

it('counts a seed that is no number as none', () => {
  const logs = log(header('a', { seedLength: '1' }), call(0, { command: 'own' }))
  expect(replayedCommands(logs, {}).map(({ command }) => command)).toEqual(['own'])
})

it('leaves out what a fork inherited', () => {
  const logs = log(
    header('a', { parentSession: 'p', seedLength: 1 }),
    call(0, { command: 'of the parent' }),
    call(1, { command: 'own' }),
  )
  expect(replayedCommands(logs, {}).map(({ command }) => command)).toEqual(['own'])
})

it('has nothing to say where replay runs no shell', () => {
  const logs = log(header('a'), call(0, { command: 'sudo x' }))
  expect(replayedCommands(logs, { tools: { bash: 'recorded' } })).toEqual([])
  expect(replayedCommands(logs, { tools: { bash: 'refuse' } })).toEqual([])
  expect(replayedCommands(logs, { tools: { bash: 'run', read: 'recorded' } })).toHaveLength(1)
})
