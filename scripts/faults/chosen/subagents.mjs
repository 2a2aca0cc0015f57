import { faultsOf } from './define.mjs'

const inProcess = faultsOf('subagents', 'subagent/subagent-in-process')
const registry = faultsOf('subagents', 'subagent/subagent')
const on = (...scenarios) => ({ scenarios })

export const SUBAGENTS = [
  inProcess(
    'give a child what its sibling said',
    'log-differs:tool/result',
    [
      ['run.ts', 'return { output: lastText(', 'return { output: swap(lastText('],
      ['run.ts', 'slice(inherited)), stopReason }', 'slice(inherited))), stopReason }'],
      [
        'run.ts',
        '/** One turn of a child agent',
        'let before: string | undefined\nfunction swap(text: string): string {\n  const given = before ?? text\n  before = text\n  return given\n}\n\n/** One turn of a child agent',
      ],
    ],
    on('subagent-multi'),
  ),
  inProcess(
    'name the wrong parent',
    'wrong-lane',
    [
      'provider.ts',
      'parentSession: parent.id',
      'parentSession: parent.header.parentSession ?? parent.id',
    ],
    on('subagent-depth'),
  ),
  inProcess(
    'leave the seed out of a fork',
    'log-differs:session',
    ['provider.ts', 'seedOf(request.parent.events)', 'seedOf([])'],
    on('subagent-fork'),
  ),
  inProcess(
    'fork with the turn that runs',
    'log-differs:session',
    ['seed.ts', "type === 'turn/end') + 1)", "type === 'turn/end') + 3)"],
    on('subagent-fork'),
  ),
  inProcess(
    'lose where a child was started',
    'log-differs:session',
    ['provider.ts', '    spawnedBy,\n  })', '  })'],
    on('subagent-spawn'),
  ),
  inProcess(
    'answer with the first message of a child',
    'log-differs:tool/result',
    ['last-text.ts', 'events.findLast(', 'events.find('],
    on('subagent-spawn', 'subagent-mixed', 'subagent-depth'),
  ),
  inProcess(
    'keep a cancel from the child',
    'fault:timeout',
    ['run.ts', "signal.addEventListener('abort', cancel, { once: true })", 'void cancel'],
    on('parent-cancelled'),
  ),
  inProcess(
    'call a failed child completed',
    'log-differs:tool/result',
    ['run.ts', "  error: 'error',\n", "  error: 'completed',\n"],
    on('subagent-child-fails'),
  ),
  inProcess(
    'change what a child is asked',
    'log-differs:user/message',
    ['run.ts', "{ type: 'text', text: prompt }", "{ type: 'text', text: prompt.toLowerCase() }"],
    on('subagent-spawn'),
  ),
  inProcess(
    'run a child on another model',
    'log-differs:request/header',
    ['provider.ts', '...(model !== undefined && { model })', 'model: `${model}-large`'],
    on('subagent-spawn'),
  ),
  registry(
    'count siblings from one',
    'unrecorded-session',
    ['places.ts', 'counts.get(key) ?? 0', 'counts.get(key) ?? 1'],
    on('subagent-multi'),
  ),
  registry(
    'give two children one place',
    'wrong-lane',
    [
      [
        'places.ts',
        'const { turn, step, call, callId } = origin',
        'const { turn, step, callId } = origin\n  const call = 0',
      ],
      ['places.ts', 'counts.set(key, index + 1)', 'counts.set(key, index)'],
    ],
    on('subagent-multi'),
  ),
  registry(
    'nest one level deeper',
    'unrecorded-session',
    ['service.ts', 'depth >= maxDepth', 'depth > maxDepth'],
    on('subagent-limit'),
  ),
  registry(
    'start the other kind of child',
    'log-differs:session',
    [
      'tools.ts',
      'subagents.start(provider, {',
      "subagents.start(provider === 'fork' ? 'spawn' : provider, {",
    ],
    on('subagent-fork'),
  ),
]
