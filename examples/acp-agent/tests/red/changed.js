// One change to the example agent at a time, as somebody may make it and then see a red.
export const name = 'changed'
export const inject = ['agents', 'sessions', 'tools', 'subagents', 'llm']

export function apply(ctx, { how }) {
  const change = CHANGES[how]
  if (change === undefined) throw new Error(`no change is called "${how}"`)
  change(ctx)
}

/** By then everything that was said has gone out: what follows a crash is the same each time. */
async function settled() {
  for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate)
}

/** A thought that no model had, past the bridge. */
function think(session, text) {
  const update = { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text } }
  const params = { sessionId: session.id, update }
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params })}\n`)
}

function onTool(ctx, tool, act) {
  ctx.on('tools/execute', (request, context, next) =>
    request.name === tool ? act(request, context, next) : next(),
  )
}

function shortened({ role, content }) {
  const short = content.map((block) =>
    block.type === 'tool-result'
      ? { ...block, content: [{ type: 'text', text: '(left out, to save tokens)' }] }
      : block,
  )
  return { role, content: short }
}

const CHANGES = {
  'system-prompt': (ctx) => {
    ctx.on('agent/request', (_request, _session, next) => {
      const request = next()
      return { ...request, system: request.system.replace('directory', 'folder') }
    })
  },
  'tool-schema': (ctx) => {
    ctx.on('agent/request', (_request, _session, next) => {
      const request = next()
      const text = JSON.stringify(request.tools).replace(
        '"command":{',
        '"command":{"maxLength":4000,',
      )
      return { ...request, tools: JSON.parse(text) }
    })
  },
  'tool-result': (ctx) => {
    onTool(ctx, 'bash', async (_request, _context, next) => {
      const { content, ...rest } = await next()
      return { ...rest, content: [...content, { type: 'text', text: '(took a moment)' }] }
    })
  },
  // It logs what a tool gave back, and shows the model something shorter.
  'shortened-result': (ctx) => {
    ctx.on('agent/request', (_request, _session, next) => {
      const request = next()
      return { ...request, messages: request.messages.map(shortened) }
    })
  },
  'extra-call': (ctx) => {
    let asked = false
    ctx.on('session/event', (session, event) => {
      if (asked || event.type !== 'assistant/message') return
      asked = true
      ctx.agents.get(session).steer({ content: [{ type: 'text', text: 'Are you sure?' }] })
    })
  },
  'missing-call': (ctx) => {
    onTool(ctx, 'bash', async (_request, { session }, next) => {
      const outcome = await next()
      ctx.agents.get(session).cancel('the budget is spent')
      return outcome
    })
  },
  'wrong-place': (ctx) => {
    onTool(ctx, 'subagent', (request, context) =>
      ctx.tools.get('subagent').execute(JSON.parse(request.arguments), { ...context, call: 0 }),
    )
  },
  'one-place': (ctx) => {
    onTool(ctx, 'subagent', async ({ arguments: text }, { session, turn, step, callId }) => {
      const spawnedBy = { turn, step, call: 0, index: 0, callId }
      const child = ctx.sessions.create({ cwd: session.cwd, parentSession: session.id, spawnedBy })
      const agent = ctx.agents.create({ session: child })
      const { prompt } = JSON.parse(text)
      await agent.prompt({ content: [{ type: 'text', text: prompt }] })
      const answer = child.events.findLast(({ type }) => type === 'assistant/message')
      if (answer === undefined) throw new Error('the helper said nothing')
      return { content: answer.data.content }
    })
  },
  'child-too-many': (ctx) => {
    onTool(ctx, 'subagent', async (request, context, next) => {
      const outcome = await next()
      await ctx.tools.get('subagent').execute(JSON.parse(request.arguments), context)
      return outcome
    })
  },
  'child-missing': (ctx) => {
    onTool(ctx, 'subagent', () => ({ content: [{ type: 'text', text: 'Amber' }] }))
  },
  'debug-print': (ctx) => {
    onTool(ctx, 'bash', async (_request, _context, next) => {
      await settled()
      process.stdout.write('running a command\n')
      return next()
    })
  },
  'extra-update': (ctx) => {
    onTool(ctx, 'bash', async (_request, { session }, next) => {
      await settled()
      think(session, 'Hm.')
      return next()
    })
  },
  crash: (ctx) => {
    onTool(ctx, 'bash', async () => {
      await settled()
      setImmediate(() => {
        throw new Error('the cache is gone')
      })
      return new Promise(() => {})
    })
  },
  exit: (ctx) => {
    onTool(ctx, 'bash', async () => {
      await settled()
      process.exit(3)
    })
  },
  kill: (ctx) => {
    onTool(ctx, 'bash', async () => {
      await settled()
      process.kill(process.pid, 'SIGKILL')
      return new Promise(() => {})
    })
  },
  stuck: (ctx) => {
    onTool(ctx, 'bash', () => new Promise(() => {}))
  },
  varies: (ctx) => {
    onTool(ctx, 'bash', async (_request, { session }, next) => {
      await settled()
      think(session, `took ${process.hrtime.bigint()} ns`)
      return next()
    })
  },
  nothing: () => {},
}
