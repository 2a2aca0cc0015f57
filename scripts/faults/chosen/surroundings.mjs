import { faultsOf } from './define.mjs'

const acp = faultsOf('protocol', 'acp/acp')
const spine = faultsOf('protocol', 'bundle/spine')
const bash = faultsOf('tools', 'tool/tool-bash')
const fs = faultsOf('tools', 'tool/tool-fs')
const todo = faultsOf('tools', 'tool/tool-todo')
const session = faultsOf('store', 'core/session')
const jsonl = faultsOf('store', 'session/session-jsonl')
const on = (...scenarios) => ({ scenarios })

export const TOOLS = [
  bash(
    'ignore the exit code of a command',
    'log-differs:tool/result',
    ['render.ts', 'else if (end.exitCode !== 0)', 'else if (end.exitCode === null)'],
    on('bash-failures'),
  ),
  bash(
    'trim what a command said',
    'log-differs:tool/result',
    ['render.ts', 'let text = end.stdout', 'let text = end.stdout.trim()'],
    on('fs-write', 'multi-turn'),
  ),
  fs(
    'edit without a read before',
    'log-differs:tool/result',
    ['edit-tool.ts', '  change.requireObserved()\n', ''],
    on('fs-edit-unread'),
  ),
  fs(
    'begin a window one line late',
    'log-differs:tool/result',
    ['render.ts', '`${first + index}: ${line}\\n`', '`${first + index + 1}: ${line}\\n`'],
    on('fs-read-window'),
  ),
  fs(
    'lose the diff of an edit',
    'log-differs:tool/result',
    [
      'edit-tool.ts',
      'return { ...outcome, meta: { diffs: hunksOf(args.file_path, before, after) } }',
      'return outcome',
    ],
    on('fs-edit'),
  ),
  todo(
    'count a finished item as pending',
    'log-differs:tool/result',
    ['tool.ts', "count('completed')", "count('pending')"],
    on('todo-plan'),
  ),
]

export const STORE = [
  session(
    'lose a field of the header',
    ['log-differs:session', 'extra-call'],
    ['header.ts', '{ ...parts, type:', '{ ...parts, seedLength: undefined, type:'],
    on('subagent-fork'),
  ),
  session(
    'put header fields in another order',
    'log-differs:session',
    ['header.ts', "  'id',\n  'createdAt',", "  'createdAt',\n  'id',"],
    on('text-turn'),
  ),
  session(
    'lose the last piece of a packed row',
    ['log-differs:assistant/chunk', 'report-differs', 'log-differs:assistant/message'],
    ['unpack.ts', 'member < pieces.length; member++', 'member < pieces.length - 1; member++'],
    on('packed-chunks'),
  ),
  jsonl(
    'skip every flush',
    'log-missing',
    [
      'backend.ts',
      'return this.track(session).flush()',
      'this.track(session)\n    return Promise.resolve()',
    ],
    on('text-turn'),
  ),
  jsonl(
    'write the first event twice',
    'log-differs:user/message',
    [
      'session-writer.ts',
      'const events = this.session.events.slice(this.file.written)',
      'const fresh = this.session.events.slice(this.file.written)\n    const events = this.file.written === 0 ? [...fresh.slice(0, 1), ...fresh] : fresh',
    ],
    on('text-turn'),
  ),
]

export const PROTOCOL = [
  acp(
    'answer with the wrong stop reason',
    'stdout-differs',
    ['outcome.ts', "return { stopReason: 'max_tokens' }", "return { stopReason: 'end_turn' }"],
    on('max-tokens'),
  ),
  acp(
    'print a line that is no protocol',
    'fault:protocol-line',
    ['service.ts', 'const app = agent(', "output.write('ready\\n')\n    const app = agent("],
    on('text-turn'),
  ),
  acp(
    'send every update twice',
    'stdout-differs',
    [
      'connection.ts',
      'if (update !== undefined) this.outbox.send(session.id, update)',
      'if (update !== undefined) {\n      this.outbox.send(session.id, update)\n      this.outbox.send(session.id, update)\n    }',
    ],
    on('text-turn'),
  ),
  acp(
    'show reasoning as an answer',
    'stdout-differs',
    [
      'updates.ts',
      "chunk.type === 'reasoning-delta') return textUpdate('agent_thought_chunk'",
      "chunk.type === 'reasoning-delta') return textUpdate('agent_message_chunk'",
    ],
    on('tool-call-turn'),
  ),
  acp(
    'show a failed tool as completed',
    'stdout-differs',
    ['updates.ts', "data.isError ? 'failed' : 'completed'", "'completed'"],
    on('fs-policy-reject'),
  ),
  acp(
    'surface the sessions of children',
    'stdout-differs',
    [
      'connection.ts',
      'const update = this.held.get(session.id)?.translator.live(event)',
      'const update = (this.held.get(session.id) ?? this.held.values().next().value)?.translator.live(event)',
    ],
    on('subagent-spawn'),
  ),
  acp(
    'swallow a failed turn',
    'fault:step-failed',
    [
      'outcome.ts',
      'throw RequestError.internalError(undefined, `turn failed: ${reason.message}`)',
      "return { stopReason: 'end_turn' }",
    ],
    on('error-finish'),
  ),
  acp(
    'die in the middle of a turn',
    'fault:agent-exited',
    [
      'connection.ts',
      '      const { reason } = await agent.prompt({ content })',
      '      process.exit(0)\n      const { reason } = await agent.prompt({ content })',
    ],
    on('text-turn'),
  ),
  acp(
    'never answer a prompt',
    'fault:timeout',
    [
      'connection.ts',
      '      return promptResponse(reason)',
      '      await new Promise(() => undefined)\n      return promptResponse(reason)',
    ],
    on('text-turn'),
  ),
  acp(
    'let a process outlive the agent',
    'fault:descendants-left',
    [
      'service.ts',
      'const app = agent(',
      "process.getBuiltinModule('node:child_process').spawn('sleep', ['60'], { detached: true, stdio: 'ignore' }).unref()\n    const app = agent(",
    ],
    on('text-turn'),
  ),
  acp(
    'say one key twice in a message',
    ['line-form', 'stdout-differs'],
    [
      'service.ts',
      'const app = agent(',
      'output.write(\'{"jsonrpc":"2.0","method":"session/update","method":"session/update","params":{}}\\n\')\n    const app = agent(',
    ],
    on('text-turn'),
  ),
  acp(
    'leave a stray file among the logs',
    'log-unreadable',
    [
      'service.ts',
      'const app = agent(',
      "process.getBuiltinModule('node:fs').mkdirSync(String(process.env.DSH_SNAPSHOT_SESSIONS_ROOT), { recursive: true })\n    process.getBuiltinModule('node:fs').writeFileSync(`${process.env.DSH_SNAPSHOT_SESSIONS_ROOT}/notes.txt`, 'x')\n    const app = agent(",
    ],
    on('text-turn'),
  ),
  spine(
    'exit with the wrong code',
    'fault:agent-exited',
    ['run.ts', '    process.exit(0)', '    process.exit(3)'],
    on('text-turn'),
  ),
  spine(
    'leave without clean-up',
    'report-incomplete',
    ['run.ts', '    await composition.dispose()\n', '    process.exit(0)\n'],
    on('text-turn'),
  ),
]
