import { diffRequestHeader, type RequestHeader } from 'dsh-session'
import { expect, it } from 'vitest'
import { HeaderWalk, isScrubbed } from '../../src/requests/header.ts'
import { event } from '../helpers/log.ts'

const tool = (name: string) => ({ name, description: name, parameters: {} })
const config = { model: 'm' }
const first: RequestHeader = { config, system: 'a\nb\nc', tools: [tool('t')] }
const second: RequestHeader = {
  config: { model: 'n' },
  system: 'a\nB\nc',
  tools: [tool('t'), tool('u')],
}
const log = (...data: [string, unknown][]) =>
  new HeaderWalk(data.map(([type, value], seq) => event(seq, type, value)))
const whole = (header: unknown): [string, unknown] => ['request/header', { header }]
const delta = (value: unknown): [string, unknown] => ['request/header-delta', value]

it('follows whole headers and changes, as far as it is asked to', () => {
  const walk = log(
    ['turn/start', {}],
    whole(first),
    delta(diffRequestHeader(first, second)),
    ['user/message', { header: { config } }],
    whole({ config }),
  )
  expect(walk.after(1)).toBeUndefined()
  expect(walk.after(2)).toEqual(first)
  expect(walk.after(2)).toEqual(first)
  expect(walk.after(4)).toEqual(second)
  expect(walk.walked).toBe(4)
  expect(walk.after(5)).toEqual({ config })
})

it('passes over what it does not know', () => {
  const walk = log(
    delta({ config }),
    whole(first),
    whole('x'),
    whole({}),
    whole({ config: 'm' }),
    ['request/header', null],
    ['request/header', undefined],
  )
  expect(walk.after(1)).toBeUndefined()
  expect(walk.after(7)).toEqual(first)
})

it('keeps what is scrubbed scrubbed, whatever changes', () => {
  const scrubbed = { config, system: '{{system}}', tools: '{{tools}}' }
  const walk = log(
    whole(scrubbed),
    delta({
      system: { keepStart: 9, keepEnd: 4, insert: ['{{system}}'] },
      tools: { added: ['{{tools}}'], removed: [], changed: [] },
      config: { model: 'n' },
    }),
  )
  expect(walk.after(1)).toEqual(scrubbed)
  expect(walk.after(2)).toEqual({ ...scrubbed, config: { model: 'n' } })
  expect(isScrubbed('{{system}}')).toBe(true)
  expect(isScrubbed('{{tools}}')).toBe(true)
  expect(isScrubbed('{{system.1}}')).toBe(true)
  expect(isScrubbed('{{tools.12}}')).toBe(true)
  const others = ['{{system}}\n', ' {{tools}}', '{{system.}}', '{{id.1}}', '', [], ['{{tools}}']]
  expect(others.filter(isScrubbed)).toEqual([])
})

it('is scrubbed from the first change on that brings a token in', () => {
  const walk = log(
    whole({ config, tools: [] }),
    delta({ system: { keepStart: 0, keepEnd: 0, insert: ['{{system}}', '{{system}}'] } }),
    delta({ system: { keepStart: 7, keepEnd: 0, insert: [] } }),
    delta({ tools: { added: ['{{tools}}'], removed: [], changed: [] } }),
  )
  expect(walk.after(1)).toEqual({ config, tools: [] })
  expect(walk.after(3)).toEqual({ config, system: '{{system}}', tools: [] })
  expect(walk.after(4)).toEqual({ config, system: '{{system}}', tools: '{{tools}}' })
})

it('has one form of scrubbed headers, numbered or not', () => {
  const numbered = { config, system: '{{system.2}}', tools: '{{tools.1}}' }
  expect(log(whole(numbered)).after(1)).toEqual({
    config,
    system: '{{system}}',
    tools: '{{tools}}',
  })
})

it('says where a change does not fit', () => {
  const walk = log(
    whole(first),
    ['turn/end', {}],
    delta({ system: { keepStart: 3, keepEnd: 1, insert: [] } }),
  )
  expect(() => walk.after(3)).toThrow('keeps 3 + 1 lines of a system prompt of 3')
  expect(walk.walked).toBe(2)
})
