import type { GenerateOptions, Message } from 'dsh-llm'
import type { Session } from 'dsh-session'
import { describe, expect, it } from 'vitest'
import { liveSession, rejection, collect, call, testContext } from '../helpers/agent.ts'
import {
  answer,
  event,
  header,
  logText,
  readReport,
  sid,
  tempFolder,
  textOf,
} from '../helpers/log.ts'
import { installLlmReplay, loadSessionScripts, type ReplayConfig } from '../../src/index.ts'

const folder = tempFolder()
const ID = '0f8fad5b-d9cb-469f-a165-70867728950e'
let count = 0

const user = (text: string): Message =>
  Object.freeze({ role: 'user', content: Object.freeze([{ type: 'text', text }]) }) as Message
const prompt = (seq: number, text: string) =>
  event(seq, 'user/message', { content: [{ type: 'text', text }] }, { surfaceOp: 'append' })

interface Recorded {
  readonly prompts: readonly string[]
  readonly request?: object
  /** Empty for a header that has none. */
  readonly cwd?: string
}

/** A log with a call after each of the prompts. */
function recorded({ prompts, request = {}, cwd = '{{cwd}}' }: Recorded): string {
  const events: object[] = [
    event(0, 'request/header', { header: { config: { model: 'm' }, ...request } }),
  ]
  for (const [at, text] of prompts.entries()) {
    events.push(prompt(events.length, text))
    for (const chunk of answer(`answer ${at + 1}`)) {
      events.push(event(events.length, 'assistant/chunk', { turn: at + 1, step: 1, chunk }))
    }
  }
  const { cwd: _, ...head } = header({ id: sid('{{session}}') })
  return logText(cwd === '' ? head : { ...head, cwd }, events)
}

async function strict(log: Recorded, live: readonly Session[], config: Partial<ReplayConfig> = {}) {
  const run = count++
  const file = folder.write(`check.${run}.jsonl`, recorded(log))
  const reportFile = folder.path(`check.${run}.report.jsonl`)
  const ctx = await testContext(live)
  installLlmReplay(ctx, { file, reportFile, requests: 'strict', ...config })
  return {
    file,
    ask: async (messages: readonly Message[], more: Partial<GenerateOptions> = {}) =>
      textOf(await collect(call(ctx, live[0]?.id, { messages, ...more }))),
    drifts: () => readReport(reportFile).filter(({ event: type }) => type === 'drifted'),
  }
}

describe('what came against what the recording implies', () => {
  it('is no difference where a rule of the project has taken it from the log', async () => {
    const normalise = [{ pattern: /build-\d+/, token: '{{build}}' }]
    const log = { prompts: ['done: {{build}} in {{cwd}}', 'raw build-7', 'last'] }
    const live = ['done: build-12 in /live', 'raw build-8', 'last build-9'].map(user)
    const run = await strict(log, [liveSession(ID, [], { cwd: '/live' })], { normalise })
    await run.ask(live.slice(0, 1))
    await run.ask(live.slice(0, 2))
    expect(run.drifts()).toEqual([])
    await run.ask(live)
    expect(run.drifts()).toMatchObject([
      {
        call: 3,
        path: 'messages[2].content[0].text',
        expected: '"last"',
        actual: '"last {{build}}"',
      },
    ])
  })

  it('reports the call and goes on, once for a session', async () => {
    const run = await strict({ prompts: ['one', 'two', 'three'] }, [liveSession(ID)])
    expect(await run.ask([user('one')])).toBe('answer 1')
    expect(await run.ask([user('one'), user('TWO')])).toBe('answer 2')
    expect(await run.ask([])).toBe('answer 3')
    expect(run.drifts()).toEqual([
      {
        event: 'drifted',
        lane: 0,
        session: ID,
        call: 2,
        path: 'messages[1].content[0].text',
        expected: '"two"',
        actual: '"TWO"',
      },
    ])
  })

  it('says it in the terms of the recording', async () => {
    const text = `{{session}} in {{cwd}}/a is 1`
    const run = await strict({ prompts: [text] }, [liveSession(ID, [], { cwd: '/live/cwd' })])
    await run.ask([user(`${ID} in /live/cwd/a is 2`)])
    expect(run.drifts()).toMatchObject([
      { expected: `"${text}"`, actual: '"{{session}} in {{cwd}}/a is 2"' },
    ])
  })

  it.each([
    ['{{cwd}}', '{{cwd}}/a', '/live/cwd/a'],
    ['/rec/cwd', 'in /rec/cwd, {{cwd}}', 'in /live/cwd, /live/cwd'],
    ['/rec/cwd', '"\\/rec\\/cwd"', '"\\/live\\/cwd"'],
    ['{{cwd}}/cwd', '{{cwd}} {{cwd}}/cwd', '/live /live/cwd'],
    ['{{cwd}}/cwd/', '{{cwd}}/b', '/live/b'],
    ['', 'in {{cwd}}', 'in /live/cwd'],
    ['/rec/cwd', 'as it /rec/cwd was', 'as it /rec/cwd was'],
  ])('knows the folder (%s: %j is %j)', async (cwd, text, came) => {
    const run = await strict({ prompts: [text], cwd }, [liveSession(ID)])
    await run.ask([user(came)])
    expect(run.drifts()).toEqual([])
  })

  it('looks again at a message that can change', async () => {
    const run = await strict({ prompts: ['one', 'two'] }, [liveSession(ID)])
    const block = { type: 'text' as const, text: 'one' }
    const message: Message = { role: 'user', content: [block] }
    await run.ask([message])
    block.text = 'ONE'
    await run.ask([message, user('two')])
    expect(run.drifts()).toMatchObject([{ call: 2, path: 'messages[0].content[0].text' }])
  })

  it('does not look again at one that was there, and cannot change', async () => {
    const run = await strict({ prompts: ['one', 'two'] }, [liveSession(ID)])
    let looks = 0
    const seen = Object.freeze(
      Object.defineProperty({ role: 'user' }, 'content', {
        enumerable: true,
        get: () => {
          looks += 1
          return [{ type: 'text', text: 'one' }]
        },
      }),
    ) as unknown as Message
    await run.ask([seen])
    const first = looks
    expect(first).toBeGreaterThan(0)
    await run.ask([seen, user('two')])
    expect(looks).toBe(first)
    expect(run.drifts()).toEqual([])
  })

  it('sees that one which was there stands elsewhere, or is gone', async () => {
    const [one, two] = [user('one'), user('two')]
    for (const later of [[two, one], [one], [two], [one, two, one]]) {
      const run = await strict({ prompts: ['one', 'two'] }, [liveSession(ID)])
      await run.ask([one])
      await run.ask(later)
      expect(run.drifts()).toMatchObject([{ call: 2 }])
    }
  })

  it('puts the prefix of a header first', async () => {
    const request = { messagePrefix: [user('before')] }
    const run = await strict({ prompts: ['one'], request }, [liveSession(ID)])
    await run.ask([user('before'), user('one')])
    expect(run.drifts()).toEqual([])
    const without = await strict({ prompts: ['one'], request }, [liveSession(ID)])
    await without.ask([user('one')])
    expect(without.drifts()).toMatchObject([{ path: 'messages[0].content[0].text' }])
  })
})

describe('the request header', () => {
  const tools = [{ name: 't', description: 't', parameters: {} }]
  it.each<[string, object, Partial<GenerateOptions>, string | undefined]>([
    ['equal', { system: 's', tools }, { system: 's', tools }, undefined],
    ['absent on both sides', {}, {}, undefined],
    ['empty and absent', { system: '', tools: [] }, {}, undefined],
    ['of another model', {}, { model: 'n' }, 'config.model'],
    ['with another prompt', { system: 's' }, { system: 'S' }, 'system'],
    ['with a prompt', {}, { system: 'S' }, 'system'],
    ['without tools', { tools }, {}, 'tools[0]'],
    ['with tools', {}, { tools }, 'tools[0]'],
  ])('%s', async (_, request, came, path) => {
    const run = await strict({ prompts: ['one'], request }, [liveSession(ID)])
    await run.ask([user('one')], came)
    expect(run.drifts()).toMatchObject(path === undefined ? [] : [{ call: 1, path }])
    expect(run.drifts()).toHaveLength(path === undefined ? 0 : 1)
  })

  const scrubbed = { system: '{{system}}', tools: '{{tools}}' }
  const own = (system?: string) =>
    event(0, 'request/header', {
      header: { config: { model: 'm' }, ...(system === undefined ? {} : { system, tools }) },
    })

  it.each<[string, Session[], Partial<GenerateOptions>, string | undefined]>([
    ['as logged', [liveSession(ID, [own('s')])], { system: 's', tools }, undefined],
    ['not as logged', [liveSession(ID, [own('s')])], { system: 'S', tools }, 'system'],
    ['without what is logged', [liveSession(ID, [own('s')])], { system: 's' }, 'tools[0]'],
    ['with what is not logged', [liveSession(ID, [own()])], { system: 's' }, 'system'],
    ['with a tool that is not logged', [liveSession(ID, [own()])], { tools }, 'tools[0]'],
    ['of a session that logs none', [liveSession(ID)], { system: 's', tools }, undefined],
    ['of no session', [], { system: 's', tools }, undefined],
  ])('scrubbed, %s', async (_, live, came, path) => {
    const run = await strict({ prompts: ['one'], request: scrubbed }, live)
    await run.ask([user('one')], came)
    expect(run.drifts().map((drift) => 'path' in drift && drift.path)).toEqual(
      path === undefined ? [] : [path],
    )
  })

  it('scrubbed, of a session that logs a change, and then is loaded again', async () => {
    const log = [own('s')]
    const live = [liveSession(ID, log)]
    const run = await strict({ prompts: ['1', '2', '3', '4'], request: scrubbed }, live)
    const [one, two, three, four] = ['1', '2', '3', '4'].map(user) as [
      Message,
      Message,
      Message,
      Message,
    ]
    await run.ask([one], { system: 's', tools })
    log.push(own('t'))
    await run.ask([one, two], { system: 't', tools })
    live[0] = liveSession(ID, [own('u')])
    await run.ask([one, two, three], { system: 'u', tools })
    expect(run.drifts()).toEqual([])
    await run.ask([one, two, three, four], { system: 't', tools })
    expect(run.drifts()).toMatchObject([{ call: 4, path: 'system' }])
  })
})

describe('how it is told', () => {
  it('without a report the call fails', async () => {
    const run = await strict({ prompts: ['one'] }, [liveSession(ID)], {
      reportFile: undefined,
    } as never)
    expect(await rejection(run.ask([user('ONE')]))).toMatchObject({
      code: 'REQUEST_DIFFERS',
      message:
        `llm-replay: request differs: call 1 of lane 0 (${run.file}): messages[0].content[0].text: expected "one", came "ONE". ` +
        'If the log of this session differs too, record the scenario again; if not, the agent asks for ' +
        'something else than it logs: correct it, or take "requests": "strict" from the scenario.',
    })
    const other = await strict({ prompts: ['one'] }, [liveSession(ID)], {
      reportFile: undefined,
    } as never)
    expect((await rejection(other.ask([]))).message).toContain(
      'messages[0]: expected {"role":"user","content":[{"type":"text","text":"one"}]}, came nothing. ',
    )
  })

  it('names a caller without session id, which is compared as it is', async () => {
    const run = await strict({ prompts: ['in {{cwd}}'] }, [])
    await run.ask([user('in /live/cwd')])
    expect(run.drifts()).toMatchObject([{ session: null, call: 1, actual: '"in /live/cwd"' }])
  })

  it('says nothing where requests are not strict', async () => {
    for (const requests of ['off', undefined] as const) {
      const run = await strict({ prompts: ['one'] }, [liveSession(ID)], { requests } as never)
      expect(await run.ask([])).toBe('answer 1')
      expect(run.drifts()).toEqual([])
    }
  })
})

it('starts with the right call where a session was resumed', async () => {
  const earlier = [0, 1, 2, 3, 4].map((at) =>
    event(at, 'assistant/chunk', { turn: 1, step: 1, chunk: answer('answer 1')[at] }),
  )
  const run = await strict({ prompts: ['one', 'two'] }, [liveSession(ID, earlier)])
  expect(await run.ask([user('one'), user('two')])).toBe('answer 2')
  expect(run.drifts()).toEqual([])
})

describe('a sidecar', () => {
  const file = folder.write('over.jsonl', recorded({ prompts: ['one'] }))
  it('that replaces every call leaves nothing to compare with', () => {
    const overrideFile = folder.write('over.json', '[{"kind":"hang"}]')
    expect(() => loadSessionScripts({ file, overrideFile, requests: 'strict' })).toThrow(
      expect.objectContaining({
        code: 'OVERRIDE_INVALID',
        message:
          `llm-replay: ${overrideFile} replaces every call of ${file}, so nothing says what they asked for; ` +
          'replace single calls by patches, record what happens instead, or take "requests": "strict" from the scenario',
      }),
    )
    expect(loadSessionScripts({ file, overrideFile, requests: 'off' })).toHaveLength(1)
  })

  it('that replaces single calls leaves what they asked for', () => {
    const overrideFile = folder.write(
      'patch.json',
      '{"patches":[{"at":0,"entry":{"kind":"hang"}}]}',
    )
    const [script] = loadSessionScripts({ file, overrideFile, requests: 'strict' })
    expect(script?.entries).toEqual([{ kind: 'hang' }])
    expect(script?.requests?.before).toEqual([2])
  })

  it('without calls is none of that', async () => {
    const overrideFile = folder.write('empty.json', '[]')
    const scripts = loadSessionScripts({ file, overrideFile, requests: 'strict' })
    expect(scripts[0]).not.toHaveProperty('requests')
    expect(loadSessionScripts({ file })[0]).not.toHaveProperty('requests')
    expect(loadSessionScripts({ file, requests: 'strict' })[0]?.requests?.before).toEqual([2])
  })
})
