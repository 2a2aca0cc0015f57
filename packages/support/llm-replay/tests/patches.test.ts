import { describe, expect, it } from 'vitest'
import { loadReplayScript, loadSessionScripts, type ReplayError } from '../src/index.ts'
import {
  answer,
  type Call,
  event,
  events,
  header,
  logText,
  sid,
  steps,
  tempFolder,
} from './helpers/log.ts'

const folder = tempFolder()
const primary = folder.write('session.jsonl', logText(header(), events(steps('p1', 'p2'))))

function problem(run: () => unknown): ReplayError {
  try {
    run()
  } catch (error) {
    return error as ReplayError
  }
  throw new Error('did not throw')
}

describe('a log with patches', () => {
  const hang = { kind: 'hang' } as const
  const cut: Call[] = [
    ...steps('one'),
    { step: 2, chunks: answer('two').slice(0, 2) },
    { turn: 2, chunks: answer('three') },
  ]
  const log = (name: string, calls: Call[], fields = {}): string =>
    folder.write(name, logText(header(fields), events(calls)))
  const patch = (name: string, ...patches: object[]): string =>
    folder.write(name, JSON.stringify({ patches }))

  it('keeps the script of the log but for what they name, which may have no end', () => {
    const file = log('cut.jsonl', cut)
    const [lane] = loadSessionScripts({
      file,
      overrideFile: patch('cut.json', { at: 1, entry: hang }),
    })
    expect(lane?.entries).toEqual([
      { kind: 'chunks', chunks: answer('one') },
      hang,
      { kind: 'chunks', chunks: answer('three') },
    ])
    expect(lane?.positions).toEqual([
      { turn: 1, step: 1 },
      { turn: 1, step: 2 },
      { turn: 2, step: 1 },
    ])
    expect(loadReplayScript({ file, overrideFile: folder.path('cut.json') })).toHaveLength(3)
  })

  it('keeps the tool calls of the log, of a child too', () => {
    const tool = { turn: 1, step: 1, callId: 'x', name: 'bash', arguments: '{}' }
    const head = header({ id: sid('patched'), parentSession: sid('primary') })
    const kid = folder.write(
      'patched.jsonl',
      logText(head, [...events(steps('own')), event(5, 'tool/call', tool)]),
    )
    const override = patch('patched.json', { at: 0, entry: hang })
    const childOverrideFiles = { [kid]: override }
    const lanes = loadSessionScripts({ file: primary, childFiles: [kid], childOverrideFiles })
    expect(lanes[1]).toMatchObject({ entries: [hang], positions: [{ turn: 1, step: 1 }] })
    expect(lanes[1]?.toolCalls).toEqual([
      { turn: 1, step: 1, call: 0, name: 'bash', arguments: '{}' },
    ])
  })

  it('counts the session’s own calls only', () => {
    const head = header({ id: sid('seeded'), parentSession: sid('primary'), seedLength: 5 })
    const kid = folder.write(
      'seeded.jsonl',
      logText(head, events([...steps('seed'), ...steps('own')])),
    )
    const at = (at: number) => ({
      file: primary,
      childFiles: [kid],
      childOverrideFiles: { [kid]: patch(`seeded.${at}.json`, { at, entry: hang }) },
    })
    expect(loadSessionScripts(at(0))[1]?.entries).toEqual([hang])
    expect(problem(() => loadSessionScripts(at(1))).message).toBe(
      `llm-replay: ${folder.path('seeded.1.json')}: patch 0 is at 1, but ${kid} holds 1 model call: ` +
        'expected "at" from 0 to 0',
    )
  })

  it('case R12: refuses a call without an end that they do not name', () => {
    const file = log('cut-twice.jsonl', [...cut, { turn: 3, chunks: answer('four').slice(0, 1) }])
    const overrideFile = patch('cut-twice.json', { at: 1, entry: hang })
    const error = problem(() => loadSessionScripts({ file, overrideFile }))
    expect(error.code).toBe('FIXTURE_INVALID')
    expect(error.message).toContain('model call 3/1 ended without a finish chunk')
    expect(error.message).toContain('{"patches":[{"at":3,"entry":…}]}')
  })

  it('case R9: reads the log whole', () => {
    const file = folder.write('torn-patched.jsonl', `${logText(header(), events(cut))}{"type":`)
    const overrideFile = patch('torn-patched.json', { at: 1, entry: hang })
    const error = problem(() => loadSessionScripts({ file, overrideFile }))
    expect(error).toMatchObject({ code: 'FIXTURE_INVALID' })
    expect(error.message).toContain('torn-patched.jsonl:')
  })
})

it('case R9: names the nearest log for an override that is for none', () => {
  const kid = folder.write(
    'session.1.jsonl',
    logText(header({ id: sid('kid'), parentSession: sid('primary') }), []),
  )
  const given = (log: string) =>
    problem(() =>
      loadSessionScripts({
        file: primary,
        childFiles: [kid],
        childOverrideFiles: { [log]: 'o' },
      }),
    ).message
  expect(given(folder.path('session.2.jsonl'))).toContain(
    `which is none of the logs of children that are given, did you mean "${kid}"?`,
  )
  expect(given('x')).toContain(`that are given (${kid})`)
  const config = { file: primary, childOverrideFiles: { x: 'o' } }
  expect(problem(() => loadSessionScripts(config)).message).toContain('that are given (none)')
})

it('case R9: names the nearest file for a sidecar that is not there', () => {
  folder.write('replay.override.1.json', '[]')
  const overrideFile = folder.path('replay.overide.1.json')
  const error = problem(() => loadSessionScripts({ file: primary, overrideFile }))
  expect(error.code).toBe('FIXTURE_NOT_FOUND')
  expect(error.message).toBe(
    `llm-replay: override not found: ${overrideFile}, did you mean "replay.override.1.json"? Correct the path.`,
  )
})
