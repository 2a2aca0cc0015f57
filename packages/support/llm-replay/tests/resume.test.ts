import type { StreamChunk } from 'dsh-llm'
import type { SessionEvent } from 'dsh-session'
import { describe, expect, it } from 'vitest'
import { call, collect, liveSession } from './helpers/agent.ts'
import { answer, type Call, event, events, sid, steps, tempFolder, textOf } from './helpers/log.ts'
import { scenario } from './helpers/scenario.ts'
import { child, place, root, tree } from './helpers/tree.ts'

const folder = tempFolder()

/** Brings sessions back as a restarted agent does: with the ids and logs that they had. */
async function revived(
  recorded: Parameters<typeof tree>[1],
  logs: readonly {
    readonly id: string
    readonly events: SessionEvent[]
    readonly fields: object
  }[],
): Promise<Awaited<ReturnType<typeof tree>>> {
  const run = await tree(folder, recorded)
  run.ctx.sessions.useBackend({
    name: 'test',
    load: (id) => {
      const { header, events: log } = liveSession(
        id,
        logs.find((log) => log.id === id)?.events,
        logs.find((log) => log.id === id)?.fields,
      )
      return Promise.resolve({ header, events: log })
    },
  })
  for (const { id } of logs) await run.ctx.sessions.load(sid(id))
  return run
}

describe('a session that is loaded', () => {
  const recorded = [
    root('r', steps('p1', 'p2'), { root: 0 }),
    child('a', 'r', steps('a1', 'a2'), { spawnedBy: place({ call: 0 }) }),
    child('b', 'r', steps('b1', 'b2'), { spawnedBy: place({ call: 1 }) }),
  ]
  const log = (...texts: string[]): SessionEvent[] => events(steps(...texts))

  it('is in its lane by lineage, and starts after the calls of its log; a child too', async () => {
    const run = await revived(recorded, [
      { id: 'P', events: log('other words'), fields: { root: 0 } },
      { id: 'B', events: log('b1'), fields: { parentSession: 'P', spawnedBy: place({ call: 1 }) } },
    ])
    expect(run.reported('bound')).toEqual([
      { event: 'bound', lane: 0, session: 'P', rule: 'lineage', lineage: '0', after: 1 },
      { event: 'bound', lane: 2, session: 'B', rule: 'lineage', lineage: '0/1.1.1.0', after: 1 },
    ])
    expect([await run.say('B'), await run.say('P')]).toEqual(['b2', 'p2'])
    run.dispose()
    expect(run.reported('left').map(({ served, left }) => [served, left])).toEqual([
      [2, 0],
      [0, 2],
      [2, 0],
    ])
  })

  it('without its parent has no lineage, and is known by its answers', async () => {
    const fields = { parentSession: 'gone', spawnedBy: place({ call: 1 }) }
    const run = await revived(recorded, [{ id: 'B', events: log('b1'), fields }])
    expect(run.reported('bound')).toEqual([])
    expect(await run.say('B')).toBe('b2')
    expect(run.reported('bound')).toEqual([
      { event: 'bound', lane: 2, session: 'B', rule: 'resumed', after: 1 },
    ])
  })

  it('keeps its cursor when it comes back within the process', async () => {
    const run = await revived(recorded, [{ id: 'P', events: [], fields: { root: 0 } }])
    expect(await run.say('P')).toBe('p1')
    const session = run.ctx.sessions.get(sid('P'))
    if (session !== undefined) await run.ctx.sessions.dispose(session)
    await run.ctx.sessions.load(sid('P'))
    expect(await run.say('P')).toBe('p2')
    expect(run.reported('bound')).toHaveLength(1)
  })

  it('with a broken log is not bound, and fails when it calls', async () => {
    const broken = [event(0, 'assistant/chunk', {})]
    const run = await revived(recorded, [{ id: 'P', events: broken, fields: { root: 0 } }])
    expect(run.reported('bound')).toEqual([])
    expect(await run.refusal('P')).toContain('the log of session P: malformed assistant/chunk')
  })
})

describe('where lineage is not recorded, a loaded session', () => {
  const cut = answer('b1').slice(0, 2)
  const recorded = [steps('p'), steps('a1', 'a2'), steps('b1', '{{cwd}}', 'b3'), steps('b1')]
  const say = async (calls: readonly Call[], extra: SessionEvent[] = []): Promise<string> => {
    const child = liveSession('C', [...events(calls), ...extra], { parentSession: sid('P') })
    const run = await scenario(folder, recorded, { live: [liveSession('P'), child] })
    await collect(call(run.ctx, 'P'))
    return textOf(await collect(call(run.ctx, 'C')))
  }

  it('gets the lane with whose answers its log begins, cut ones and paths included', async () => {
    expect(await say(steps('a1'))).toBe('a2')
    expect(await say(steps('b1', '/live/cwd'))).toBe('b3')
    expect(await say([{ chunks: cut }])).toBe('/live/cwd')
    const silent = event(50, 'step/end', { turn: 1, step: 9 })
    expect(await say(steps('b1'), [silent])).toBe('b3')
  })

  it.each<[string, readonly StreamChunk[][]]>([
    ['other answers', [answer('c1')]],
    ['a longer answer', [[...answer('b1').slice(0, 4), ...cut]]],
    ['more answers', [answer('b1'), answer('/live/cwd'), answer('b3'), answer('b4')]],
    ['a second answer that differs', [answer('a1'), answer('b2')]],
  ])('is refused with %s', async (_, chunks) => {
    const calls = chunks.map((list, at) => ({ step: at + 1, chunks: list }))
    await expect(say(calls)).rejects.toThrow('unrecorded session')
  })
})
