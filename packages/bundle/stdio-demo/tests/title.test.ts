import type { Tool, ToolRegistry } from 'dsh-tools'
import { expect, it } from 'vitest'
import { titleOf } from '../src/title.ts'

const tools = {
  shown: { display: (args) => ({ title: JSON.stringify(args) }) },
  plain: {},
} as Record<string, Partial<Tool>>
const registry = { get: (name: string) => tools[name] } as ToolRegistry
const title = (name: string, args: string) =>
  titleOf(registry, { turn: 1, step: 1, callId: 'c', name, arguments: args })

it.each([
  ['shown', '{"a": 1}', 'shown: {"a":1}'],
  ['shown', '', 'shown: {}'],
  ['shown', '{"a', 'shown'],
  ['plain', '{}', 'plain'],
  ['gone', '{}', 'gone'],
])('%s %s', (name, args, expected) => {
  expect(title(name, args)).toBe(expected)
})
