import { faultsOf } from './define.mjs'

const fault = faultsOf('replay', 'support/llm-replay')
const on = (...scenarios) => ({ scenarios })
const known = (...guards) => ({ guards })

export const REPLAY = [
  fault(
    'one cursor for all sessions',
    ['extra-call', 'log-differs:assistant/chunk', 'missing-retry'],
    [
      ['lanes.ts', '    cursor.made = call\n', '    cursor.made = call\n    this.all += 1\n'],
      ['lanes.ts', 'script.entries[call - 1]', 'script.entries[this.all - 1]'],
      [
        'lanes.ts',
        '  private readonly disposal =',
        '  private all = 0\n  private readonly disposal =',
      ],
    ],
    on('subagent-multi'),
  ),
  fault(
    'ignore the length of a seed',
    'not-loaded',
    [
      'load.ts',
      'const own = ownEvents(events, header)',
      'const own = header === undefined ? ownEvents(events, header) : events',
    ],
    on('subagent-fork'),
  ),
  fault(
    'swap the scripts of two children',
    [
      'report-differs',
      'log-differs:assistant/chunk',
      'log-differs:tool/result',
      'log-differs:assistant/message',
    ],
    [
      'load.ts',
      'return orderLanes(load(file, config.overrideFile), children)',
      'const lanes = orderLanes(load(file, config.overrideFile), children)\n  const [a, b] = [lanes[1], lanes[2]]\n  if (a && b) {\n    lanes[1] = { ...a, entries: b.entries, positions: b.positions }\n    lanes[2] = { ...b, entries: a.entries, positions: a.positions }\n  }\n  return lanes',
    ],
    on('subagent-multi'),
  ),
  fault(
    'let an anonymous call take the next script',
    'misnamed:extra-call>wrong-lane',
    [
      'claims.ts',
      'return this.keep(undefined, 0, 0)',
      'return this.keep(undefined, this.scripts.length - 1, 0)',
    ],
    known('anonymous-child'),
  ),
  fault(
    'let a session claim an empty script',
    'misnamed:unrecorded-session>extra-call',
    ['binder.ts', 'return this.lane(lane).calls > 0 && !', 'return !'],
    known('empty-lane'),
  ),
  fault(
    'bind by the order of calls alone',
    'unrecorded-session',
    [
      'binder.ts',
      'const lane = this.placedLane(caller)',
      'const lane = undefined as number | undefined',
    ],
    on('subagent-multi'),
  ),
  fault(
    'let two sessions share a lane',
    'other-words:wrong-lane',
    ['binder.ts', 'if (holder !== undefined && holder !== node.session) return holder', ''],
    known('twin-places'),
  ),
  fault(
    'serve a retry that was not recorded',
    'misnamed:unrecorded-retry>log-differs:assistant/chunk',
    [
      'retry-check.ts',
      'if (retried === samePosition(next, previous)) return undefined',
      'if (retried || !samePosition(next, previous)) return undefined',
    ],
    known('retry-not-recorded'),
  ),
  fault(
    'overlook a retry that is missing',
    'misnamed:missing-retry>log-differs:assistant/chunk',
    [
      'retry-check.ts',
      'if (retried === samePosition(next, previous)) return undefined',
      'if (!retried || samePosition(next, previous)) return undefined',
    ],
    known('retry-missing'),
  ),
  fault(
    'serve the last answer for ever',
    'misnamed:extra-call>fault:timeout',
    ['lanes.ts', 'script.entries[call - 1]', '(script.entries[call - 1] ?? script.entries.at(-1))'],
    known('call-gone'),
  ),
  fault(
    'report no refusal',
    'misnamed:extra-call>fault:step-failed',
    ['refusal.ts', 'report.write({', 'if (code === undefined) report.write({'],
    known('call-gone', 'child-gone'),
  ),
  fault(
    'report no served call',
    ['leftover', 'report-incomplete'],
    ['lanes.ts', "this.report.write({ event: 'served', ...place })", ''],
    on('text-turn'),
  ),
  fault(
    'lose the last chunk of an answer',
    'log-differs:assistant/chunk',
    [
      'stream.ts',
      'this.chunks = options.chunks',
      "this.chunks = options.entry.kind === 'hang' ? options.chunks : options.chunks.slice(0, -1)",
    ],
    on('text-turn'),
  ),
  fault(
    'cut a stream anew',
    'log-differs:assistant/chunk',
    [
      'stream.ts',
      'this.chunks = options.chunks',
      "this.chunks = options.chunks.flatMap((chunk) => chunk.type === 'text-delta' && chunk.text.length > 1 ? [{ ...chunk, text: chunk.text.slice(0, 1) }, { ...chunk, text: chunk.text.slice(1) }] : [chunk])",
    ],
    on('text-turn'),
  ),
  fault(
    'leave the paths of the recording in answers',
    [
      'log-differs:tool/result',
      'log-differs:assistant/chunk',
      'log-differs:assistant/message',
      'log-differs:tool/call',
    ],
    ['lanes.ts', 'return mapChunks(chunks, cursor.mapping)', 'return chunks'],
    on('abs-path-split'),
  ),
  fault(
    'end a hang at once',
    ['fault:step-failed', 'log-differs:assistant/message', 'log-differs:turn/end'],
    [
      'stream.ts',
      'this.waiting ??= this.wait()\n      return this.waiting',
      'this.ended = true\n      return Promise.resolve(END)',
    ],
    on('cancel'),
  ),
  fault(
    'say of no hang that it waits',
    'fault:timeout',
    [
      'lanes.ts',
      "onWaiting: () => this.report.write({ event: 'ready', ...place })",
      'onWaiting: () => undefined',
    ],
    on('cancel'),
  ),
  fault(
    'run a tool whose result is recorded',
    'misnamed:refused:TOOL_ARGUMENTS_DIFFER>log-differs:tool/call',
    [
      'tools.ts',
      "if (problem === undefined && policy === 'run') return undefined",
      "if (problem === undefined && policy !== 'refuse') return undefined",
    ],
    known('tool-recorded', 'tool-arguments'),
  ),
  fault(
    'take any arguments for the recorded ones',
    'misnamed:refused:TOOL_ARGUMENTS_DIFFER>log-differs:tool/call',
    [
      'tools.ts',
      'if (recorded.name !== request.name || expected !== request.arguments) {',
      'if (recorded.name !== request.name) {',
    ],
    known('tool-arguments'),
  ),
  fault(
    'take a policy for a tool that is not there',
    'missed:refused:TOOL_NOT_OFFERED',
    [
      'policies.ts',
      'if (this.checked) return undefined\n    const there',
      'if (this.checked || offered) return undefined\n    const there',
    ],
    known('tool-unknown'),
  ),
]
