import { brandString, systemClock } from 'dsh-brand'
import type { Session, SessionEvent } from 'dsh-session'
import { type Tool, type ToolCallContext, ToolError } from 'dsh-tools'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { Context } from '@deepseek-ai/cordis'
import * as tools from 'dsh-tools'
import * as plugin from '../src/index.ts'
import { todoTool } from '../src/tool.ts'

/** A session that keeps what is appended. */
function recordingSession(): Session & { readonly events: SessionEvent[] } {
  const id = brandString<'SessionId'>('s')
  const events: SessionEvent[] = []
  return {
    id,
    cwd: '/',
    header: { type: 'session', version: 0, id, createdAt: 0 },
    events,
    append: (type: string, data: unknown) => {
      const event = { type, seq: events.length, time: 0, data }
      events.push(event)
      return event
    },
    history: () => [],
  }
}

function contextOf(session: Session): ToolCallContext {
  const { signal } = new AbortController()
  return { session, cwd: '/', turn: 1, step: 1, call: 0, callId: 'c', signal, clock: systemClock }
}

test('logs the list and answers the counts, as recorded', async () => {
  const session = recordingSession()
  const todos = [
    { content: 'read the code', status: 'in_progress' },
    { content: 'write the fix', status: 'pending' },
    { content: 'run the tests', status: 'pending' },
  ]
  expect(await todoTool.execute({ todos }, contextOf(session))).toEqual({
    content: [{ type: 'text', text: 'Updated todo list: 2 pending, 1 in progress, 0 completed.' }],
  })
  expect(session.events.map(({ type, data }) => JSON.stringify({ type, data }))).toEqual([
    JSON.stringify({ type: 'todo/write', data: { todos } }),
  ])
})

test('logs the keys in the order of the format, whatever the model wrote', async () => {
  const session = recordingSession()
  const todos = [{ status: 'completed', content: 'x' }]
  await todoTool.execute({ todos, note: 'ignored' }, contextOf(session))
  expect(JSON.stringify(session.events[0]?.data)).toBe(
    '{"todos":[{"content":"x","status":"completed"}]}',
  )
})

test('an empty list is a list', async () => {
  const session = recordingSession()
  expect((await todoTool.execute({ todos: [] }, contextOf(session))).content).toEqual([
    { type: 'text', text: 'Updated todo list: 0 pending, 0 in progress, 0 completed.' },
  ])
  expect(session.events).toHaveLength(1)
})

test.each([
  [{}, 'todos: Invalid input: expected array, received undefined'],
  [[], 'arguments: Invalid input: expected object, received array'],
  [
    { todos: [{ content: '', status: 'done' }] },
    'todos[0].content: Too small: expected string to have >=1 characters; ' +
      'todos[0].status: Invalid option: expected one of "pending"|"in_progress"|"completed"',
  ],
  [{ todos: [{ content: 'x', status: 'pending', id: 1 }] }, 'todos[0]: Unrecognized key: "id"'],
])('refuses %j and logs nothing', async (args, problem) => {
  const session = recordingSession()
  const failure = await todoTool.execute(args, contextOf(session)).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(ToolError)
  expect(failure).toMatchObject({
    code: 'INVALID_ARGS',
    message: `invalid arguments for "todo_write": ${problem}`,
  })
  expect(session.events).toEqual([])
})

test('the counts add up for every list', async () => {
  const item = fc.record({
    content: fc.string({ minLength: 1 }),
    status: fc.constantFrom('pending' as const, 'in_progress' as const, 'completed' as const),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(item), async (todos) => {
      const outcome = await todoTool.execute({ todos }, contextOf(recordingSession()))
      const text = (outcome.content[0] as { text: string }).text
      const counts = [...text.matchAll(/\d+/g)].map(Number)
      const of = (status: string): number => todos.filter((todo) => todo.status === status).length
      expect(counts).toEqual([of('pending'), of('in_progress'), of('completed')])
    }),
  )
})

test('describes itself to the model and to editors', () => {
  const { name, kind, parameters, description } = todoTool
  expect({ name, kind }).toEqual({ name: 'todo_write', kind: 'think' })
  expect(todoTool.display?.(undefined)).toEqual({ title: 'Update todo list' })
  expect(description).toBe(
    'Record a structured task list for the current work. Send the entire list in every call: it ' +
      'replaces the previous one. Use it to plan work of several steps; mark a task in_progress ' +
      'while you work on it and completed as soon as it is done.',
  )
  expect(parameters).toEqual({
    type: 'object',
    properties: {
      todos: {
        type: 'array',
        description: 'The complete list, replacing the previous one.',
        items: {
          type: 'object',
          additionalProperties: false,
          properties: {
            content: {
              type: 'string',
              minLength: 1,
              description: 'What the task is: a short imperative line.',
            },
            status: {
              type: 'string',
              enum: ['pending', 'in_progress', 'completed'],
              description: 'pending (not started), in_progress (now) or completed (done).',
            },
          },
          required: ['content', 'status'],
        },
      },
    },
    required: ['todos'],
  })
})

test('the plugin offers the tool while it is mounted, and takes no configuration', async () => {
  const ctx = new Context()
  await ctx.plugin(tools)
  const fiber = await ctx.plugin(plugin, undefined)
  expect(plugin.name).toBe('tool-todo')
  expect(plugin.inject).toEqual(['tools'])
  expect(plugin).not.toHaveProperty('default')
  expect(ctx.tools.get('todo_write')).toBe(todoTool satisfies Tool)
  await fiber.dispose()
  expect(ctx.tools.get('todo_write')).toBeUndefined()
  expect(plugin.Config.parse(undefined)).toEqual({})
  expect(() => plugin.Config.parse({ extra: 1 })).toThrow('Unrecognized key')
  await ctx.fiber.dispose()
})
