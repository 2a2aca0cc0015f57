import { rm } from 'node:fs/promises'
import { describe, it } from 'vitest'
import { scenarioWith, screenOf } from './red-screen.ts'

// What a person sees, word for word, when the agent is changed in one way: the first lines must tell
// what was done to it, and the last ones what to do.
describe.concurrent('a red shows', () => {
  it('a changed system prompt', async ({ expect }) => {
    const { code, text } = await screenOf('system-prompt', ['header-pin'])
    expect(code).toBe(1)
    expect(text).toMatchInlineSnapshot(`
      "✗ header-pin: header-differs (3 findings)
        why       the system prompt is another one
        lane      0 (session.jsonl, lineage 0), bound by lineage, 1 of 1 calls served
        call      1
        differs   system.expected.txt:1
        path      (the whole line)
        expected  You are a coding agent that works in the directory of a user.
        actual    You are a coding agent that works in the folder of a user.
        also      log-differs: session.jsonl:5 data.header.system
        also      request-drift: call 1 of session.jsonl: system
        accept    pnpm run test:snapshot:refresh header-pin  (keeps the recorded answers)
        or        pnpm run test:snapshot:record header-pin  (asks the model again, since it is shown something else)
        run       <tmp>/dsh-snapshot-*
      0 passed, 1 failed, 0 skipped"
    `)
  })

  it('a changed tool schema', async ({ expect }) => {
    const { code, text } = await screenOf('tool-schema', ['header-pin'])
    expect(code).toBe(1)
    expect(text).toMatchInlineSnapshot(`
      "✗ header-pin: header-differs (3 findings)
        why       the tools that the model is offered are others: bash
        lane      0 (session.jsonl, lineage 0), bound by lineage, 1 of 1 calls served
        call      1
        differs   tools.expected.json:9
        path      bash.parameters.properties.command.maxLength
        expected  (nothing)
        actual    4000
        also      log-differs: session.jsonl:5 data.header.tools[0].parameters.properties.command.maxLength
        also      request-drift: call 1 of session.jsonl: tools[0].parameters.properties.command.maxLength
        accept    pnpm run test:snapshot:refresh header-pin  (keeps the recorded answers)
        or        pnpm run test:snapshot:record header-pin  (asks the model again, since it is shown something else)
        run       <tmp>/dsh-snapshot-*
      0 passed, 1 failed, 0 skipped"
    `)
  })

  it('a tool that returns something else', async ({ expect }) => {
    const { code, text } = await screenOf('tool-result', ['tool-call-turn'])
    expect(code).toBe(1)
    expect(text).toMatchInlineSnapshot(`
      "✗ tool-call-turn: log-differs (3 findings)
        why       a tool gives something else back: bash
        lane      0 (session.jsonl, lineage 0), bound by lineage, 2 of 2 calls served
        call      1
        differs   session.jsonl:39 (tool/result of bash, turn 1, step 1)
        path      data.content[1]
        expected  (nothing)
        actual    {"type":"text","text":"(took a moment)"}
        also      stdout-differs: stdout.expected.jsonl:8 params.update.content[1]
        also      request-drift: call 2 of session.jsonl: messages[2].content[0].content[1]
        accept    pnpm run test:snapshot:refresh tool-call-turn  (keeps the recorded answers)
        or        pnpm run test:snapshot:record tool-call-turn
                  (asks the model again, since it is shown something else)
        or        if it differs each time: in the config a rule of "normalise", or "tools": {"bash": "recorded"}
        run       <tmp>/dsh-snapshot-*
      0 passed, 1 failed, 0 skipped"
    `)
  })

  it('a tool result that is logged, and shown to the model as another', async ({ expect }) => {
    const { code, text } = await screenOf('shortened-result', ['tool-call-turn'])
    expect(code).toBe(1)
    expect(text).toMatchInlineSnapshot(`
      "✗ tool-call-turn: request-drift (1 finding)
        why       the model is asked something else than the log of the session implies
        lane      0 (session.jsonl, lineage 0), bound by lineage, 2 of 2 calls served
        call      2
        request   messages[2].content[0].content[0].text
        expected  "ready"
        actual    "(left out, to save tokens)"
        accept    nothing to accept: the agent asks the model for something else than it logs
        run       <tmp>/dsh-snapshot-*
      0 passed, 1 failed, 0 skipped"
    `)
    // Nothing else tells: no log, no output.
    const dir = await scenarioWith('tool-call-turn', (input) =>
      JSON.stringify({ ...JSON.parse(input), requests: undefined }),
    )
    expect((await screenOf('shortened-result', ['tool-call-turn'], { dir })).code).toBe(0)
    await rm(dir, { recursive: true })
  })

  it('an extra call', async ({ expect }) => {
    const { code, text } = await screenOf('extra-call', ['text-turn'])
    expect(code).toBe(1)
    expect(text).toMatchInlineSnapshot(`
      "✗ text-turn: extra-call (4 findings)
        why       the agent calls the model more often than was recorded
        lane      0 (session.jsonl, lineage 0), bound by lineage, 1 of 1 calls served
        call      2
        replay    script exhausted: session {{session}} makes model call 2, but lane 0 (session.jsonl, lineage 0)
                  holds 1 recorded call, the last in step 1/1. If the agent is meant to do this now, record the
                  scenario again.
        differs   session.jsonl:22 (turn/end, turn 1)
        path      (the whole event)
        expected  turn/end {"turn":1,"reason":{"kind":"completed"}}
        actual    steering/message {"turn":1,"content":[{"type":"text","text":"Are you sure?"}],"source":{"kind":"u…
        also      fault: step 2 (prompt) failed: session/prompt failed: Internal error: turn failed: llm-replay: sc…
        also      stdout-differs: stdout.expected.jsonl:11
        accept    pnpm run test:snapshot:record text-turn  (re-record: other model calls than recorded)
        run       <tmp>/dsh-snapshot-*
      0 passed, 1 failed, 0 skipped"
    `)
  })

  it('a missing call', async ({ expect }) => {
    const { code, text } = await screenOf('missing-call', ['tool-call-turn'])
    expect(code).toBe(1)
    expect(text).toMatchInlineSnapshot(`
      "✗ tool-call-turn: leftover (3 findings)
        why       the agent stops short: 1 of 2 recorded model calls made
        lane      0 (session.jsonl, lineage 0), bound by lineage, 1 of 2 calls served
        call      2, which is never made
        differs   session.jsonl:41 (step/start, turn 1, step 2)
        path      (the whole event)
        expected  step/start {"turn":1,"step":2}
        actual    turn/end {"turn":1,"reason":{"kind":"aborted","reason":"the budget is spent"}}
        also      stdout-differs: stdout.expected.jsonl:9
        accept    pnpm run test:snapshot:record tool-call-turn  (re-record: other model calls than recorded)
        run       <tmp>/dsh-snapshot-*
      0 passed, 1 failed, 0 skipped"
    `)
  })

  it('a session in another place', async ({ expect }) => {
    const { code, text } = await screenOf('wrong-place', ['subagent-multi'])
    expect(code).toBe(1)
    expect(text).toMatchInlineSnapshot(`
      "✗ subagent-multi: unrecorded-session (6 findings)
        why       a session calls the model that the recording does not have
        lane      2 (session.2.jsonl, lineage 0/1.1.1.0), bound by nothing, 0 of 1 calls served
        replay    a model call arrived from an unrecorded session (#1): expected 3 recorded sessions that call the
                  model, and session {{session.2}} (lineage 0/1.1.0.1, started by session {{session}}) is none of
                  them. Free: lane 2 (session.2.jsonl, lineage 0/1.1.1.0): 1 of 1 call left. In use: lane 0
                  (session.jsonl, lineage 0): 1 of 2 calls left, session {{session}}. Used up: lane 1 (session.1.js…
        differs   session.2.jsonl:1 (session)
        path      spawnedBy.call
        expected  1
        actual    0
        also      leftover: 1 in session.2.jsonl
        also      log-differs: session.jsonl:56 data.content[0].text
        also      stdout-differs: stdout.expected.jsonl:12 params.update.status
        also      request-drift: call 2 of session.jsonl: messages[3].content[0].content[0].text
        accept    pnpm run test:snapshot:record subagent-multi  (re-record: other model calls than recorded)
        run       <tmp>/dsh-snapshot-*
      0 passed, 1 failed, 0 skipped"
    `)
  })

  it('two sessions in one place', async ({ expect }) => {
    const { code, text } = await screenOf('one-place', ['subagent-multi'])
    expect(code).toBe(1)
    expect(text).toMatchInlineSnapshot(`
      "✗ subagent-multi: wrong-lane (6 findings)
        why       a session stands elsewhere among the sessions than in the recording
        lane      1 (session.1.jsonl, lineage 0/1.1.0.0), bound by lineage, 1 of 1 calls served
        replay    lane taken: session {{session.2}} (lineage 0/1.1.0.0, started by session {{session}}) has the
                  place of lane 1 (session.1.jsonl, lineage 0/1.1.0.0), which session {{session.1}} has already.
                  Free: lane 2 (session.2.jsonl, lineage 0/1.1.1.0): 1 of 1 call left. In use: lane 0
                  (session.jsonl, lineage 0): 1 of 2 calls left, session {{session}}. Used up: lane 1 (session.1.js…
        differs   session.2.jsonl:1 (session)
        path      spawnedBy.call
        expected  1
        actual    0
        also      leftover: 1 in session.2.jsonl
        also      log-differs: session.jsonl:56 data.content[0].text
        also      stdout-differs: stdout.expected.jsonl:12 params.update.status
        also      request-drift: call 2 of session.jsonl: messages[3].content[0].content[0].text
        accept    nothing to accept: two sessions must not have one place; see what stamps "root" and "spawnedBy"
        run       <tmp>/dsh-snapshot-*
      0 passed, 1 failed, 0 skipped"
    `)
  })

  it('a child too many', async ({ expect }) => {
    const { code, text } = await screenOf('child-too-many', ['subagent-spawn'])
    expect(code).toBe(1)
    expect(text).toMatchInlineSnapshot(`
      "✗ subagent-spawn: unrecorded-session (5 findings)
        why       a session calls the model that the recording does not have
        extra     {{session.2}}, started by {{session}} in turn 1, step 1, call 0, as its child 1, asked "Count the
                  lines of notes.txt in the working directory. Answer with the number only."
        lane      0 (session.jsonl, lineage 0), bound by lineage, 2 of 2 calls served
        replay    a model call arrived from an unrecorded session (#1): expected 2 recorded sessions that call the
                  model, and session {{session.2}} (lineage 0/1.1.0.1, started by session {{session}}) is none of
                  them. In use: lane 0 (session.jsonl, lineage 0): 1 of 2 calls left, session {{session}}. Used up:
                  lane 1 (session.1.jsonl, lineage 0/1.1.0.0): session {{session.1}}. If the agent is meant to do t…
        differs   session.jsonl:47 (tool/result of subagent, turn 1, step 1)
        path      data.content[0].text
        expected  "3"
        actual    "Error: subagent run failed"
        also      stdout-differs: stdout.expected.jsonl:10 params.update.status
        also      request-drift: call 2 of session.jsonl: messages[2].content[0].content[0].text
        accept    pnpm run test:snapshot:record subagent-spawn  (re-record: other model calls than recorded)
        run       <tmp>/dsh-snapshot-*
      0 passed, 1 failed, 0 skipped"
    `)
  })

  it('a child, and its log, too few', async ({ expect }) => {
    const { code, text } = await screenOf('child-missing', ['subagent-spawn'])
    expect(code).toBe(1)
    expect(text).toMatchInlineSnapshot(`
      "✗ subagent-spawn: leftover (5 findings)
        why       a recorded session is never there: none of its 2 model calls is made
        lane      1 (session.1.jsonl, lineage 0/1.1.0.0), bound by nothing, 0 of 2 calls served
        call      1, which is never made
        differs   session.jsonl:47 (tool/result of subagent, turn 1, step 1)
        path      data.content[0].text
        expected  "3"
        actual    "Amber"
        also      log-missing: session.1.jsonl
        also      stdout-differs: stdout.expected.jsonl:10 params.update.content[0].content.text
        also      request-drift: call 2 of session.jsonl: messages[2].content[0].content[0].text
        accept    pnpm run test:snapshot:record subagent-spawn  (re-record: other model calls than recorded)
        run       <tmp>/dsh-snapshot-*
      0 passed, 1 failed, 0 skipped"
    `)
  })

  it('a line on stdout that is no protocol', async ({ expect }) => {
    const { code, text } = await screenOf('debug-print', ['tool-call-turn'])
    expect(code).toBe(1)
    expect(text).toMatchInlineSnapshot(`
      "✗ tool-call-turn: fault, protocol-line (1 finding)
        why       stdout line 8 is no protocol message: running a command
        lane      0 (session.jsonl, lineage 0), bound by lineage, 2 of 2 calls served
        call      2, the last that was answered
        accept    nothing to accept: stdout belongs to the protocol alone; print to stderr
        run       <tmp>/dsh-snapshot-*
      0 passed, 1 failed, 0 skipped"
    `)
  })

  it('a protocol message too many', async ({ expect }) => {
    const { code, text } = await screenOf('extra-update', ['tool-call-turn'])
    expect(code).toBe(1)
    expect(text).toMatchInlineSnapshot(`
      "✗ tool-call-turn: stdout-differs (1 finding)
        why       the client hears something else: one message too many
        lane      0 (session.jsonl, lineage 0), bound by lineage, 2 of 2 calls served
        differs   stdout.expected.jsonl:8 (the actual one is too many)
        path      (the whole line)
        expected  tool_call_update {"toolCallId":"call_00_921b0da43a43211702d52a63","status":"completed","content":…
        actual    agent_thought_chunk {"content":{"type":"text","text":"Hm."}}
        accept    pnpm run test:snapshot:refresh tool-call-turn  (keeps the recorded answers)
        run       <tmp>/dsh-snapshot-*
      0 passed, 1 failed, 0 skipped"
    `)
  })

  it('a crash', async ({ expect }) => {
    const { code, text } = await screenOf('crash', ['tool-call-turn'])
    expect(code).toBe(1)
    expect(text).toMatchInlineSnapshot(`
      "✗ tool-call-turn: fault, agent-exited (4 findings)
        why       the agent exited with code 1 while waiting for step 2 (prompt): the answer to session/prompt
        lane      0 (session.jsonl, lineage 0), bound by lineage, 1 of 2 calls served
        call      1, the last that was answered
        next      stdout.expected.jsonl:8 tool_call_update {"toolCallId":"call_00_921b0da43a43211702d52a63","status…
        pending   bash (stdout.expected.jsonl:7)
        stderr    file:*
        stderr    throw new Error('the cache is gone')
        stderr    Error: the cache is gone
        stderr    at Immediate.<anonymous> file:*
        also      since it was cut short: leftover, log-missing, stdout-differs
        accept    nothing to accept: the agent must not end by itself; its last words are on stderr
        run       <tmp>/dsh-snapshot-*
      0 passed, 1 failed, 0 skipped"
    `)
  })

  it('an exit', async ({ expect }) => {
    const { code, text } = await screenOf('exit', ['tool-call-turn'])
    expect(code).toBe(1)
    expect(text).toMatchInlineSnapshot(`
      "✗ tool-call-turn: fault, agent-exited (4 findings)
        why       the agent exited with code 3 while waiting for step 2 (prompt): the answer to session/prompt
        lane      0 (session.jsonl, lineage 0), bound by lineage, 1 of 2 calls served
        call      1, the last that was answered
        next      stdout.expected.jsonl:8 tool_call_update {"toolCallId":"call_00_921b0da43a43211702d52a63","status…
        pending   bash (stdout.expected.jsonl:7)
        also      since it was cut short: leftover, log-missing, stdout-differs
        accept    nothing to accept: the agent must not end by itself, and it says nothing on stderr: look for
                  process.exit in bash, and in what it runs
        run       <tmp>/dsh-snapshot-*
      0 passed, 1 failed, 0 skipped"
    `)
  })

  it('a SIGKILL', async ({ expect }) => {
    const { code, text } = await screenOf('kill', ['tool-call-turn'])
    expect(code).toBe(1)
    expect(text).toMatchInlineSnapshot(`
      "✗ tool-call-turn: fault, agent-exited (4 findings)
        why       the agent was ended by SIGKILL while waiting for step 2 (prompt): the answer to session/prompt
        lane      0 (session.jsonl, lineage 0), bound by lineage, 1 of 2 calls served
        call      1, the last that was answered
        next      stdout.expected.jsonl:8 tool_call_update {"toolCallId":"call_00_921b0da43a43211702d52a63","status…
        pending   bash (stdout.expected.jsonl:7)
        also      since it was cut short: leftover, log-missing, stdout-differs
        accept    nothing to accept: the agent must not end by itself, and it says nothing on stderr
        run       <tmp>/dsh-snapshot-*
      0 passed, 1 failed, 0 skipped"
    `)
  })

  it('a changed user prompt', async ({ expect }) => {
    const dir = await scenarioWith('text-turn', (input) => input.replace('READY', 'STEADY'))
    const { code, text } = await screenOf('nothing', ['text-turn'], { dir })
    await rm(dir, { recursive: true })
    expect(code).toBe(1)
    expect(text).toMatchInlineSnapshot(`
      "✗ text-turn: log-differs (2 findings)
        why       the agent is asked something else
        lane      0 (session.jsonl, lineage 0), bound by lineage, 1 of 1 calls served
        call      none yet
        differs   session.jsonl:3 (user/message)
        path      data.content[0].text
        expected  "Answer with the single word READY."
        actual    "Answer with the single word STEADY."
        also      request-drift: call 1 of session.jsonl: messages[0].content[0].text
        accept    pnpm run test:snapshot:refresh text-turn  (keeps the recorded answers)
        or        pnpm run test:snapshot:record text-turn  (asks the model again, since it is shown something else)
        run       <tmp>/dsh-snapshot-*
      0 passed, 1 failed, 0 skipped"
    `)
  })

  it('a time-out', async ({ expect }) => {
    const dir = await scenarioWith('tool-call-turn', (input) =>
      JSON.stringify({ ...JSON.parse(input), timeoutMs: 15_000 }),
    )
    const { code, text } = await screenOf('stuck', ['tool-call-turn'], { dir })
    await rm(dir, { recursive: true })
    expect(code).toBe(1)
    expect(text).toMatchInlineSnapshot(`
      "✗ tool-call-turn: fault, timeout (4 findings)
        why       nothing after * ms while waiting for step 2 (prompt): the answer to session/prompt
        lane      0 (session.jsonl, lineage 0), bound by lineage, 1 of 2 calls served
        call      1, the last that was answered
        next      stdout.expected.jsonl:8 tool_call_update {"toolCallId":"call_00_921b0da43a43211702d52a63","status…
        pending   bash (stdout.expected.jsonl:7)
        also      since it was cut short: leftover, log-missing, stdout-differs
        accept    nothing to accept: find what waits; a run that may take longer says so by timeoutMs in input.json
        run       <tmp>/dsh-snapshot-*
      0 passed, 1 failed, 0 skipped"
    `)
  })
})
