import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { startWireModel } from '../../src/index.ts'
import { answers, whole } from '../answers.ts'
import { ask, calls, post, refusal, start, toolResult, user } from '../client.ts'

describe('over HTTP', () => {
  test('a tool loop is answered step by step', async () => {
    const model = await start(
      [
        {
          when: { lastUser: 'list', step: 1 },
          answer: {
            reasoning: 'I look.',
            toolCalls: [{ id: 'c1', name: 'bash', arguments: { command: 'ls {{cwd}}' } }],
            cut: 2,
            usage: { prompt: 10, completion: 5 },
          },
        },
        { when: { lastToolResult: { contains: 'a.txt' } }, answer: { text: 'One file.' } },
      ],
      { cwd: '/tmp/w' },
    )
    const first = await ask(model, [user('list')])
    expect(first).toMatchObject({
      reasoning: 'I look.',
      text: '',
      calls: [{ id: 'c1', name: 'bash', arguments: '{"command":"ls /tmp/w"}' }],
      finish: 'tool_calls',
      usage: { prompt_tokens: 10 },
      done: true,
    })
    const second = await ask(model, [user('list'), calls('c1'), toolResult('c1', 'a.txt\n')])
    expect(second).toMatchObject({ text: 'One file.', finish: 'stop', done: true })
    expect(await model.close()).toMatchObject({
      ok: true,
      served: [
        { request: 1, rule: 0, outcome: 'completed' },
        { request: 2, rule: 1, outcome: 'completed' },
      ],
    })
  })

  test('the stream says what it is', async () => {
    const model = await start([{ when: {}, answer: { keepAlive: 1 } }])
    const response = await fetch(`${model.url}/v1/chat/completions?x=1`, {
      method: 'POST',
      body: JSON.stringify({ model: 'other', messages: [user('x')], stream: true }),
    })
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('no-cache')
    const text = await response.text()
    expect(text).toMatch(/^: keep-alive\n\ndata: \{"id":"wire-[0-9a-f]{24}",/u)
    expect(text).toContain('"model":"other"')
    expect(text).not.toContain('"usage"')
    expect(text).toMatch(/\n\ndata: \[DONE\]\n\n$/u)
    expect(model.requests[0]?.path).toBe('/v1/chat/completions')
  })

  test('case R1: a loop that asks for more than was scripted fails at once', async () => {
    const model = await start([{ when: { lastUser: 'go', step: 1 }, answer: {} }])
    await ask(model, [user('go')])
    const refused = await refusal(model, [user('go'), calls('c'), toolResult('c', 'ok')])
    expect(refused).toMatchObject({ status: 500, code: 'unscripted' })
    expect(refused.message).toContain('llm-wire: no rule of wire script matches request #2')
    expect(refused.message).toContain('lastToolResult "ok", turn 1, step 2')
    expect(refused.message).toContain(
      'already consumed:\n  rule 0 (used 1 of 1, last by request #1)',
    )
    expect(model.report()).toMatchObject({
      ok: false,
      refused: [{ request: 2, code: 'unscripted' }],
    })
  })

  test('case R3: a retry that is not scripted is refused as a retry, nothing shifts', async () => {
    const model = await start([
      { when: { lastUser: 'a' }, answer: { text: 'A' } },
      { when: { lastUser: 'b' }, answer: { text: 'B' } },
    ])
    await ask(model, [user('a')])
    const retry = await refusal(model, [user('a')])
    expect(retry).toMatchObject({ status: 500, code: 'consumed' })
    expect(retry.message).toContain('matches request #2, a retry of request #1')
    expect(await ask(model, [user('b')])).toMatchObject({ text: 'B' })
  })

  test('case R3: a retry that is scripted gets its own answer', async () => {
    const model = await start([
      { when: { lastUser: 'a', attempt: 1 }, answer: { status: 503 } },
      { when: { lastUser: 'a', attempt: 2 }, answer: { text: 'A' } },
    ])
    expect((await post(model, [user('a')])).status).toBe(503)
    expect(await ask(model, [user('a')])).toMatchObject({ text: 'A' })
    expect((await model.close()).served.map(({ attempt }) => attempt)).toEqual([1, 2])
  })

  test('case R2: identical siblings get their own answers, in whatever order they come', async () => {
    const rules = ['1', '2', '3'].map((lane) => ({
      when: { lastUser: 'same', lineage: `0/${lane}` },
      answer: { text: `for ${lane}`, toolCalls: [{ name: 'bash' }] },
    }))
    const run = async (lanes: string[]): Promise<Record<string, unknown>> => {
      const model = await start(rules, { sessionHeader: 'X-Lane' })
      const answers = await Promise.all(
        lanes.map(async (lane) => {
          const answer = await ask(model, [user('same')], { headers: { 'x-lane': `0/${lane}` } })
          return [lane, { text: answer.text, calls: answer.calls, id: answer.events[0]?.id }]
        }),
      )
      expect((await model.close()).ok).toBe(true)
      return Object.fromEntries(answers) as Record<string, unknown>
    }
    const forward = await run(['1', '2', '3'])
    expect(forward).toMatchObject({
      1: { text: 'for 1' },
      2: { text: 'for 2' },
      3: { text: 'for 3' },
    })
    // Generated ids too: recorded again with another arrival order, nothing changes.
    expect(await run(['3', '1', '2'])).toEqual(forward)
  })

  test('two rules for one request are an error', async () => {
    const model = await start([
      { when: { lastUser: 'a' }, answer: { text: '1' } },
      { when: { lastUser: { contains: 'a' } }, answer: { text: '2' } },
    ])
    const refused = await refusal(model, [user('a')])
    expect(refused).toMatchObject({ status: 500, code: 'ambiguous' })
    expect(refused.message).toContain('2 rules of wire script match request #1')
    expect(model.report().unused).toHaveLength(2)
  })

  test('generated tool call ids differ by position, rule name, caller and use', async () => {
    const toolCalls = [{ name: 'a' }, { name: 'b' }]
    const ids = async (name: string | undefined, lanes: (string | undefined)[]) => {
      const rule = { when: {}, answer: { toolCalls }, times: lanes.length }
      const model = await start([{ ...rule, ...(name !== undefined && { name }) }])
      const seen: string[] = []
      for (const lane of lanes) {
        const headers: Record<string, string> = lane === undefined ? {} : { 'x-dsh-lineage': lane }
        const answer = await ask(model, [user('x')], { headers })
        seen.push(...answer.calls.map(({ id }) => id))
      }
      return seen
    }
    const all = [...(await ids('n', ['0', '0', '1', undefined])), ...(await ids(undefined, ['0']))]
    expect(new Set(all).size).toBe(10)
    for (const [index, id] of all.entries()) {
      expect(id).toMatch(new RegExp(`^call_0${index % 2}_[0-9a-f]{24}$`, 'u'))
    }
    expect(await ids('n', ['0', '0', '1', undefined])).toEqual(all.slice(0, 8))
  })

  test('any answers, asked for together, arrive as they were written', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(answers, { minLength: 1, maxLength: 5 }), async (list) => {
        const rules = list.map((answer, turn) => ({ when: { lastUser: `${turn}` }, answer }))
        const model = await startWireModel({ script: { rules } })
        const got = await Promise.all(list.map((_, turn) => ask(model, [user(`${turn}`)])))
        expect(got.map(({ reasoning, text, calls }) => [reasoning, text, calls.length])).toEqual(
          list.map((answer) => [
            whole(answer.reasoning),
            whole(answer.text),
            answer.toolCalls?.length ?? 0,
          ]),
        )
        expect(got.map(({ calls }) => calls.map((call) => call.arguments))).toEqual(
          list.map(({ toolCalls = [] }) => toolCalls.map((call) => whole(call.arguments))),
        )
        expect((await model.close()).ok).toBe(true)
      }),
      { numRuns: 20 },
    )
  })
})
