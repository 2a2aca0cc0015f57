import { WireError } from '../error.ts'
import { countEvents } from '../render/events.ts'
import type {
  Pieces,
  ScriptedCall,
  StatusAnswer,
  StreamAnswer,
  WireDefaults,
  WireRule,
  WireScript,
  WireWhen,
} from '../types.ts'
import { pauseName } from './clashes.ts'
import { cutText } from './cut.ts'
import { type CwdFiller, cwdFiller, isTokenSplit } from './cwd.ts'
import { type ReadyAnswer, type ReadyCall, type ReadyRule, WHOLE } from './ready.ts'

/**
 * Decides everything that does not depend on a request. Placeholders are filled in before texts are
 * cut, so that a path is cut like any other text.
 * @throws WireError `BAD_SCRIPT` where `{{cwd}}` cannot be filled in, or a fault lies behind the end
 * of its answer.
 */
export function prepareRules(
  script: WireScript,
  cwd: string | undefined,
  source: string,
): ReadyRule[] {
  return script.rules.map((rule, index) => {
    const fail = (why: string): never => {
      throw new WireError(
        'BAD_SCRIPT',
        `${source} is not a wire script:\n  rules[${index}]: ${why}`,
      )
    }
    const filler = cwdFiller(cwd, () => fail('says {{cwd}}, but the model was given no cwd'))
    const answer =
      'status' in rule.answer
        ? prepareStatus(rule.answer, filler)
        : prepareStream(rule.answer, script.defaults ?? {}, filler, pauseName(rule, index), fail)
    return {
      index,
      key: rule.name ?? String(index),
      ...(rule.name !== undefined && { name: rule.name }),
      when: prepareWhen(rule.when, filler),
      times: rule.times ?? 1,
      answer,
    }
  })
}

function prepareWhen(when: WireRule['when'], filler: CwdFiller): WireWhen {
  const entries = Object.entries(when) as [keyof WireWhen, WireWhen[keyof WireWhen] & {}][]
  return Object.fromEntries(
    entries.map(([facet, wanted]) => [
      facet,
      typeof wanted === 'number' ? wanted : filler.pattern(wanted),
    ]),
  )
}

function prepareStatus(answer: StatusAnswer, filler: CwdFiller): ReadyAnswer {
  const { status, headers = {}, body = defaultBody(status) } = answer
  return {
    kind: 'status',
    status,
    headers,
    body: typeof body === 'string' ? filler.text(body) : filler.json(JSON.stringify(body)),
  }
}

function defaultBody(status: number): { error: Record<string, string | null> } {
  const message = `scripted failure (HTTP ${status})`
  return { error: { message, type: 'scripted', param: null, code: 'scripted' } }
}

function prepareStream(
  answer: StreamAnswer,
  defaults: WireDefaults,
  filler: CwdFiller,
  pause: string | undefined,
  fail: (why: string) => never,
): ReadyAnswer {
  const cut = answer.cut ?? defaults.cut ?? WHOLE
  const pieces = (value: Pieces, fill: (text: string) => string): string[] => {
    if (typeof value === 'string') return cutText(fill(value), cut)
    if (isTokenSplit(value)) fail('spreads {{cwd}} over pieces, where it cannot be filled in')
    return value.map(fill)
  }
  const calls = (answer.toolCalls ?? []).map(
    (call): ReadyCall => ({
      ...(call.id !== undefined && { id: call.id }),
      name: call.name,
      arguments: pieces(rawArguments(call), filler.json),
    }),
  )
  const usage = answer.usage ?? defaults.usage
  const ready = {
    kind: 'stream' as const,
    reasoning: pieces(answer.reasoning ?? [], filler.text),
    text: pieces(answer.text ?? [], filler.text),
    calls,
    finish: answer.finish ?? (calls.length > 0 ? 'tool_calls' : 'stop'),
    ...(usage !== undefined && { usage }),
    usageOn: answer.usageOn ?? 'finish',
    gapMs: answer.gapMs ?? defaults.gapMs ?? 0,
    keepAlive: answer.keepAlive ?? 0,
    ...(answer.fault !== undefined && { fault: answer.fault }),
    ...(pause !== undefined && { pause }),
  }
  const total = countEvents(ready)
  if (answer.fault !== undefined && 'after' in answer.fault && answer.fault.after > total) {
    fail(`its fault comes after ${answer.fault.after} events, but its answer has ${total}`)
  }
  return ready
}

function rawArguments(call: ScriptedCall): Pieces {
  const value = call.arguments ?? ''
  return typeof value === 'string' || isPieces(value) ? value : JSON.stringify(value)
}

function isPieces(value: unknown): value is readonly string[] {
  return Array.isArray(value)
}
