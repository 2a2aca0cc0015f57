import { expect, it } from 'vitest'
import { headerFixtures, recordedFixtures } from '../../src/record/fixtures.ts'
import { header, jsonl } from '../temp.ts'

const HEADER_EVENT = {
  type: 'request/header',
  seq: 0,
  time: 0,
  data: { header: { system: 'Be brief.', tools: [{ name: 'bash' }] } },
}
const first = jsonl(header('{{session}}'), HEADER_EVENT)
const second = jsonl(header('{{session.1}}'))
const run = (...texts: string[]) => ({
  stdout: ['{"a":1}', '{"b":2}'],
  logs: texts.map((text, index) => ({ name: `some/path/${index}`, text })),
  sessionIds: [],
  findings: [],
})

it('names the logs by their order, and keeps the transcript', () => {
  expect([...recordedFixtures(run(first, second), false)]).toEqual([
    ['session.jsonl', first],
    ['session.1.jsonl', second],
    ['stdout.expected.jsonl', '{"a":1}\n{"b":2}\n'],
  ])
})

it('writes a script without calls where no session had a turn', () => {
  expect(recordedFixtures(run(), false).get('session.jsonl')).toBe(
    '{"type":"session","version":0,"id":"{{session}}","createdAt":0,"cwd":"{{cwd}}"}\n',
  )
})

it('pins the header in readable files', () => {
  const files = recordedFixtures(run(first), true)
  expect(files.get('system.expected.txt')).toBe('Be brief.\n')
  expect(files.get('tools.expected.json')).toBe('[\n  {\n    "name": "bash"\n  }\n]\n')
})

it.each([[run()], [run(second)]])('cannot pin what is not there', (normal) => {
  expect(() => headerFixtures(normal)).toThrow(/pin the first request .*, but it makes none/)
})
