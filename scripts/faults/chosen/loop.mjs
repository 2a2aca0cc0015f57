import { faultsOf } from './define.mjs'

const fault = faultsOf('loop', 'core/agent')
const on = (...scenarios) => ({ scenarios })

export const LOOP = [
  fault(
    'drop a tool result',
    'log-differs:tool/result',
    [
      'tool-calls.ts',
      'logResult(phase, block, callSeqs[offset] as number, outcome)',
      'void [logResult, phase, block, callSeqs, outcome]',
    ],
    on('tool-call-turn'),
  ),
  fault(
    'run tool calls in reverse',
    'log-differs:tool/call',
    ['tool-calls.ts', '  let start = 0\n', '  blocks = blocks.toReversed()\n  let start = 0\n'],
    on('subagent-mixed', 'subagent-multi'),
  ),
  fault(
    'lose the last chunk',
    'log-differs:assistant/chunk',
    [
      'model-call.ts',
      "chunkSeqs.push(session.append('assistant/chunk', { turn, step, chunk }).seq)",
      "if (chunk.type !== 'finish') chunkSeqs.push(session.append('assistant/chunk', { turn, step, chunk }).seq)",
    ],
    on('text-turn'),
  ),
  fault(
    'lose the usage chunk',
    'log-differs:assistant/chunk',
    [
      'model-call.ts',
      "chunkSeqs.push(session.append('assistant/chunk', { turn, step, chunk }).seq)",
      "if (chunk.type !== 'usage') chunkSeqs.push(session.append('assistant/chunk', { turn, step, chunk }).seq)",
    ],
    on('text-turn'),
  ),
  fault(
    'change a word of the prompt',
    'header-differs',
    ['system-prompt.ts', 'Say briefly what you did.', 'Say at length what you did.'],
    on('header-pin'),
  ),
  fault(
    'double a call',
    'unrecorded-retry',
    [
      'turn.ts',
      'headerOf(request))\n',
      'headerOf(request))\n    for await (const _ of context.llm.stream({ ...request, sessionId: session.id })) break\n',
    ],
    on('tool-call-turn'),
  ),
  fault(
    'swallow an error finish',
    'fault:step-failed',
    [
      'attempts.ts',
      "if (finish.kind !== 'error') return undefined",
      "if (finish.kind !== 'error' || thrown === undefined) return undefined",
    ],
    on('finish-error'),
  ),
  fault(
    'lose the code of an error',
    'log-differs:turn/end',
    ['turn-end.ts', '...(code !== undefined && { code }),', ''],
    on('finish-error'),
  ),
  fault(
    'count turns by two',
    'log-differs:turn/start',
    ['turn.ts', 'turn + 1 : 1', 'turn + 2 : 1'],
    on('multi-turn'),
  ),
  fault(
    'drop the sources of a message',
    'log-differs:assistant/message',
    ['model-call.ts', '...(call.chunkSeqs.length > 0 && { sourceEventSeqs: call.chunkSeqs }),', ''],
    on('text-turn'),
  ),
  fault(
    'drop the source of a tool result',
    'log-differs:tool/result',
    [
      'tool-calls.ts',
      "{ sourceEventSeqs: [callSeq], surfaceOp: 'append' }",
      "{ surfaceOp: 'append' }",
    ],
    on('tool-call-turn'),
  ),
  fault(
    'call without a session id',
    'extra-call',
    ['attempts.ts', '...request, signal, sessionId: session.id })', '...request, signal })'],
    on('subagent-spawn'),
  ),
  fault(
    'log a cancel as a completed turn',
    'fault:step-failed',
    [
      'turn-end.ts',
      "return cause instanceof TurnAbort ? cause.reason : { kind: 'aborted' }",
      "return cause instanceof Error ? { kind: 'completed' } : { kind: 'aborted' }",
    ],
    on('cancel'),
  ),
  fault(
    'run the calls of an answer that was cut',
    'log-differs:assistant/message',
    ['turn.ts', "content.filter((block) => block.type !== 'tool-call')", 'content'],
    on('max-tokens'),
  ),
  fault(
    'log the request header every time',
    'log-differs:assistant/chunk',
    ['header-log.ts', '    this.last = header\n', ''],
    on('multi-turn'),
  ),
  fault(
    'end a step twice',
    'log-differs:turn/end',
    [
      'turn.ts',
      "    session.append('step/end', { turn, step })\n",
      "    session.append('step/end', { turn, step })\n    session.append('step/end', { turn, step })\n",
    ],
    on('text-turn'),
  ),
  fault(
    'stop after the first tool step',
    'leftover',
    ['turn.ts', 'calledTools: calls.length > 0 }', 'calledTools: false }'],
    on('tool-call-turn'),
  ),
]
