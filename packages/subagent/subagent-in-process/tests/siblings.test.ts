import { expect, test } from 'vitest'
import type { Tool } from 'dsh-tools'
import { type Answer, call, data, delegate, gate, rig, results, text } from './harness.ts'
import type { Rig } from './harness.ts'

/** A tool that starts a child for each prompt at once, and answers when all are done. */
function crowd(of: () => Rig): Tool {
  return {
    name: 'crowd',
    description: '',
    parameters: { type: 'object' },
    kind: 'other',
    parallel: true,
    execute: async (args, context) => {
      const { prompts } = args as { readonly prompts: readonly string[] }
      const { session: parent, signal } = context
      const runs = prompts.map((prompt) =>
        of().ctx.subagents.start('spawn', { prompt, parent, origin: context, signal }),
      )
      const ends = await Promise.all(runs.map(({ result }) => result))
      await Promise.all(runs.map((run) => run.dispose()))
      return { content: [{ type: 'text', text: ends.map(({ output }) => output).join('+') }] }
    },
  }
}

/** Answers once it may, so that a test decides who is faster. */
function held(gateway: { readonly passed: Promise<void> }, value: string): Answer {
  return async function* () {
    await gateway.passed
    yield* text(value)
  }
}

const places = (r: Rig): unknown[] =>
  r.sessions.slice(1).map(({ header }) => {
    const { call: position, index } = header.spawnedBy ?? {}
    return [position, index]
  })

test('two calls of one message are two places', async () => {
  const r = await rig({
    task: [delegate('subagent', 'one', 'two'), text('done')],
    one: [text('1')],
    two: [text('2')],
  })
  await r.ask('task')
  expect(results(r.sessions[0])).toEqual(['1', '2'])
  expect(places(r)).toEqual([
    [0, 0],
    [1, 0],
  ])
  const [, first, second] = r.sessions
  expect(second?.header.createdAt).toBeGreaterThan(first?.header.createdAt ?? Infinity)
})

test('two children of one call are told apart by their ordinal', async () => {
  let r: Rig | undefined
  const tool = crowd(() => r as Rig)
  r = await rig(
    {
      task: [call({ tool: 'crowd', args: { prompts: ['one', 'two'] } }), text('done')],
      one: [text('1')],
      two: [text('2')],
    },
    { tools: [tool] },
  )
  await r.ask('task')
  expect(results(r.sessions[0])).toEqual(['1+2'])
  expect(places(r)).toEqual([
    [0, 0],
    [0, 1],
  ])
  expect(r.ctx.sessions.list()).toEqual([r.root.session])
})

test('children of parallel calls keep their places, whichever is faster', async () => {
  let r: Rig | undefined
  const tool = crowd(() => r as Rig)
  const gates = [gate(), gate(), gate()] as const
  r = await rig(
    {
      task: [
        call(
          { tool: 'crowd', args: { prompts: ['one', 'two'] } },
          { tool: 'crowd', args: { prompts: ['three'] } },
        ),
        text('done'),
      ],
      one: [held(gates[0], '1')],
      two: [held(gates[1], '2')],
      three: [held(gates[2], '3')],
    },
    { tools: [tool] },
  )
  const ended: unknown[] = []
  const all = gate()
  r.ctx.on('session/event', (session, event) => {
    if (event.type === 'turn/end') ended.push(session.header.spawnedBy?.index)
  })
  r.ctx.on('session/created', () => {
    if (r?.sessions.length === 4) all.open()
  })
  const turn = r.ask('task')
  await all.passed
  for (const { open } of gates.toReversed()) {
    const before: number = ended.length
    open()
    while (ended.length === before) await Promise.resolve()
  }
  await turn
  expect(results(r.sessions[0])).toEqual(['1+2', '3'])
  expect(places(r)).toEqual([
    [0, 0],
    [0, 1],
    [1, 0],
  ])
  expect(ended).toEqual([0, 1, 0, undefined])
  expect(data(r.sessions[3], 'user/message')).toMatchObject([{ content: [{ text: 'three' }] }])
})
