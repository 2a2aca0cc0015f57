import { formatLineage } from 'dsh-session'
import { describe, expect, it } from 'vitest'
import { loadReplayScript, loadSessionScripts, type ReplayError } from '../src/index.ts'
import { answer, event, events, header, logText, sid, steps, tempFolder } from './helpers/log.ts'

const folder = tempFolder()
const primary = folder.write('session.jsonl', logText(header(), events(steps('p1', 'p2'))))

let count = 0
function child(id: string, fields: object, ...texts: string[]): string {
  const text = logText(
    { ...header({ id: sid(id), parentSession: sid('primary') }), ...fields },
    events(steps(...texts)),
  )
  return folder.write(`child.${count++}.jsonl`, text)
}

function problem(run: () => unknown): ReplayError {
  try {
    run()
  } catch (error) {
    return error as ReplayError
  }
  throw new Error('did not throw')
}

describe('loadSessionScripts', () => {
  it('loads what a log answers, where, and its tool calls', () => {
    const tool = { turn: 1, step: 1, callId: 'c', name: 'bash', arguments: '{}' }
    const file = folder.write(
      'tools.jsonl',
      logText(header(), [...events(steps('a', 'b')), event(10, 'tool/call', tool)]),
    )
    expect(loadSessionScripts({ file })).toEqual([
      {
        file,
        header: header(),
        entries: ['a', 'b'].map((text) => ({ kind: 'chunks', chunks: answer(text) })),
        positions: [
          { turn: 1, step: 1 },
          { turn: 1, step: 2 },
        ],
        toolCalls: [{ turn: 1, step: 1, call: 0, name: 'bash', arguments: '{}' }],
      },
    ])
  })

  it('takes entries and tool calls after the seed only', () => {
    const tool = { turn: 1, step: 1, callId: 'c', name: 'bash', arguments: '{}' }
    const file = folder.write(
      'fork.jsonl',
      logText(header({ seedLength: 6 }), [
        ...events(steps('seed')),
        event(5, 'tool/call', tool),
        ...events([{ turn: 2, chunks: answer('own') }], 6),
        event(11, 'tool/call', { ...tool, turn: 2 }),
      ]),
    )
    const [lane] = loadSessionScripts({ file })
    expect(lane?.entries).toEqual([{ kind: 'chunks', chunks: answer('own') }])
    expect(lane?.positions).toEqual([{ turn: 2, step: 1 }])
    expect(lane?.toolCalls.map(({ turn }) => turn)).toEqual([2])
  })

  it('puts the primary first, then the children by createdAt, then by id', () => {
    const late = child('a', { createdAt: 9 }, 'late')
    const tieB = child('b', { createdAt: 5 }, 'tie b')
    const tieA = child('aa', { createdAt: 5 }, 'tie a')
    const early = child('z', { createdAt: -1 }, 'early')
    for (const childFiles of [
      [late, tieB, tieA, early],
      [early, tieA, tieB, late],
    ]) {
      expect(loadSessionScripts({ file: primary, childFiles }).map(({ file }) => file)).toEqual([
        primary,
        early,
        tieA,
        tieB,
        late,
      ])
    }
  })

  it('reads a header-only log without cwd as an empty script', () => {
    const file = folder.write(
      'empty.jsonl',
      '{"type":"session","version":0,"id":"0","createdAt":0}\n',
    )
    const [lane] = loadSessionScripts({ file })
    expect(lane).toMatchObject({ entries: [], positions: [], toolCalls: [] })
    expect(lane?.header.cwd).toBeUndefined()
  })

  it('with an override reads only the header of the primary', () => {
    const file = folder.write('torn.jsonl', `${logText(header(), events(steps('a')))}{"type":`)
    const overrideFile = folder.write('o.json', '[{"kind":"hang"}]')
    const lane = {
      file,
      header: header(),
      entries: [{ kind: 'hang' }],
      positions: [],
      toolCalls: [],
    }
    expect(loadSessionScripts({ file, overrideFile })).toEqual([lane])
    expect(loadReplayScript({ file, overrideFile })).toEqual([{ kind: 'hang' }])
  })

  it('gives each child the override that is for its log, whatever the spelling of its path', () => {
    const plain = child('plain', { createdAt: 1 }, 'own')
    const torn = folder.write(
      'torn-child.jsonl',
      `${logText(header({ id: sid('torn'), parentSession: sid('primary'), createdAt: 2 }), [])}{"type":`,
    )
    const override = folder.write('torn-child.json', '[{"kind":"hang"}]')
    const lanes = loadSessionScripts({
      file: primary,
      childFiles: [torn, plain],
      childOverrideFiles: { [`${folder.path('x')}/../torn-child.jsonl`]: override },
    })
    expect(lanes.map(({ entries }) => entries)).toEqual([
      ['p1', 'p2'].map((text) => ({ kind: 'chunks', chunks: answer(text) })),
      [{ kind: 'chunks', chunks: answer('own') }],
      [{ kind: 'hang' }],
    ])
    expect(lanes[2]).toMatchObject({ file: torn, positions: [], toolCalls: [] })
  })

  it.each([
    ['no log', ['none.jsonl'], () => 'none.jsonl, which is none of the logs of children'],
    ['the primary', ['session.jsonl'], () => 'session.jsonl, which is the log of the primary'],
    [
      'a child twice',
      ['twice.jsonl', 'x/../twice.jsonl'],
      () => `x/../twice.jsonl, which has an override already: ${folder.path('o.json')}`,
    ],
  ])('case R9: refuses an override for %s', (_, logs, problemOf) => {
    const twice = folder.write(
      'twice.jsonl',
      logText(header({ id: sid('twice'), parentSession: sid('primary') }), []),
    )
    const overrides = logs.map((log) => [`${folder.path('x')}/../${log}`, folder.path('o.json')])
    const error = problem(() =>
      loadSessionScripts({
        file: primary,
        childFiles: [twice],
        childOverrideFiles: Object.fromEntries(overrides),
      }),
    )
    expect(error.code).toBe('OVERRIDE_INVALID')
    expect(error.message).toContain(`llm-replay: ${folder.path('o.json')} is for `)
    expect(error.message).toContain(problemOf())
  })

  it('names the override of a child that does not parse', () => {
    const kid = child('kid-of-bad', {})
    const bad = folder.write('bad-child.json', '[{"kind":"hung"}]')
    const config = { file: primary, childFiles: [kid], childOverrideFiles: { [kid]: bad } }
    expect(problem(() => loadSessionScripts(config)).message).toContain(`${bad}: entry 0`)
  })

  it('puts lanes in order of lineage where every one has it, whatever their createdAt', () => {
    const spawnedBy = (call: number) => ({ turn: 1, step: 1, call, index: 0 })
    const parent = (createdAt: number, fields: object = { root: 1 }): string =>
      folder.write(
        `placed.${createdAt}.jsonl`,
        logText(header({ id: sid('top'), createdAt, ...fields }), []),
      )
    const ten = child('ten', { parentSession: 'top', createdAt: 1, spawnedBy: spawnedBy(10) })
    const nine = child('nine', { parentSession: 'top', createdAt: 2, spawnedBy: spawnedBy(9) })
    const below = child('below', { parentSession: 'nine', createdAt: 0, spawnedBy: spawnedBy(0) })
    const first = child('first', { parentSession: undefined, createdAt: 5, root: 0 })
    const childFiles = [below, ten, first, nine]
    const file = parent(9)
    const lanes = loadSessionScripts({ file, childFiles })
    // The primary is the primary, whatever its ordinal.
    expect(lanes.map((lane) => lane.file)).toEqual([file, first, nine, below, ten])
    expect(lanes.map(({ lineage }) => lineage && formatLineage(lineage))).toEqual([
      '1',
      '0',
      '1/1.1.9.0',
      '1/1.1.9.0/1.1.0.0',
      '1/1.1.10.0',
    ])
    const bare = parent(8, {})
    const old = loadSessionScripts({ file: bare, childFiles: [nine, below, ten] })
    expect(old.map((lane) => lane.file)).toEqual([bare, below, ten, nine])
    expect(old.map((lane) => 'lineage' in lane)).toEqual([false, false, false, false])
  })

  it('allows a second root, a grandchild, and a primary whose parent is elsewhere', () => {
    const alone = folder.write(
      'part.jsonl',
      logText(header({ parentSession: sid('elsewhere') }), []),
    )
    const root = child('root', { parentSession: undefined, root: 1 })
    const kid = child('kid', {})
    const grandchild = child('grandchild', { parentSession: 'kid' })
    const lanes = loadSessionScripts({ file: alone, childFiles: [grandchild, kid, root] })
    expect(lanes).toHaveLength(4)
  })

  it.each([
    [
      'case R9: a missing file',
      () => ({ file: folder.path('none.jsonl') }),
      'FIXTURE_NOT_FOUND',
      () =>
        `fixture not found: ${folder.path('none.jsonl')}. Record the scenario, or correct the path.`,
    ],
    [
      'a missing child',
      () => ({ file: primary, childFiles: [folder.path('kid.jsonl')] }),
      'FIXTURE_NOT_FOUND',
      () => `fixture not found: ${folder.path('kid.jsonl')}.`,
    ],
    [
      'a missing file with an override',
      () => ({
        file: folder.path('none.jsonl'),
        overrideFile: folder.write('is.json', '[{"kind":"hang"}]'),
      }),
      'FIXTURE_NOT_FOUND',
      () => `fixture not found: ${folder.path('none.jsonl')}.`,
    ],
    [
      'a missing override',
      () => ({ file: primary, overrideFile: folder.path('none/at-all.json') }),
      'FIXTURE_NOT_FOUND',
      () => `override not found: ${folder.path('none/at-all.json')}. Correct the path.`,
    ],
    [
      'a folder',
      () => ({ file: folder.path('.') }),
      'FIXTURE_INVALID',
      () => `cannot read fixture ${folder.path('.')}: EISDIR`,
    ],
    [
      'case R9: a file of zero bytes',
      () => ({ file: folder.write('zero.jsonl', '') }),
      'FIXTURE_INVALID',
      () => `fixture is empty: ${folder.path('zero.jsonl')}`,
    ],
    [
      'bytes that are no UTF-8',
      () => ({ file: folder.write('latin.jsonl', Buffer.from([0x7b, 0xff, 0x7d])) }),
      'FIXTURE_INVALID',
      () => `fixture is not valid UTF-8: ${folder.path('latin.jsonl')}`,
    ],
    [
      'a byte order mark',
      () => ({ file: folder.write('bom.jsonl', `\ufeff${logText(header(), [])}`) }),
      'FIXTURE_INVALID',
      () => `${folder.path('bom.jsonl')}:1: not JSON`,
    ],
    [
      'no header',
      () => ({ file: folder.write('headless.jsonl', logText(event(0, 'x', {}), [])) }),
      'FIXTURE_INVALID',
      () => `${folder.path('headless.jsonl')}:1: expected the session header`,
    ],
    [
      'a malformed line',
      () => ({ file: folder.write('bad.jsonl', `${logText(header(), [])}{`) }),
      'FIXTURE_INVALID',
      () => `${folder.path('bad.jsonl')}:2: not JSON`,
    ],
    [
      'a call without finish',
      () => ({
        file: folder.write('cut.jsonl', logText(header(), events(steps('x')).slice(0, 2))),
      }),
      'FIXTURE_INVALID',
      () => `model call 1/1 ended without a finish chunk (${folder.path('cut.jsonl')}, last`,
    ],
    [
      'a seed longer than the log',
      () => ({
        file: folder.write('seed.jsonl', logText(header({ seedLength: 6 }), events(steps('x')))),
      }),
      'FIXTURE_INVALID',
      () =>
        `${folder.path('seed.jsonl')}:1: the header says that 6 events were inherited (seedLength), but the log holds 5`,
    ],
    [
      'the same file twice',
      () => ({ file: primary, childFiles: [`${folder.path('x')}/../session.jsonl`] }),
      'FIXTURE_INVALID',
      () => `the fixture ${folder.path('x')}/../session.jsonl is given twice; every`,
    ],
  ])('refuses %s', (_, config, code, message) => {
    const error = problem(() => loadSessionScripts(config()))
    expect(error.code).toBe(code)
    expect(error.message).toContain(`llm-replay: ${message()}`)
  })

  it('accepts a seed that is the whole log', () => {
    const file = folder.write('all.jsonl', logText(header({ seedLength: 5 }), events(steps('x'))))
    expect(loadSessionScripts({ file })[0]?.entries).toEqual([])
  })
})

describe('the delegation tree', () => {
  it('refuses a child whose parent is not there', () => {
    const file = child('orphan', { parentSession: 'gone' })
    expect(problem(() => loadSessionScripts({ file: primary, childFiles: [file] })).message).toBe(
      `llm-replay: ${file}: its parent session "gone" is in none of the fixtures; give that log too`,
    )
  })

  it('refuses a session that is its own parent, the primary too', () => {
    const own = child('own', { parentSession: 'own' })
    const message = `llm-replay: ${own}: the session "own" is its own parent`
    expect(problem(() => loadSessionScripts({ file: primary, childFiles: [own] })).message).toBe(
      message,
    )
    const error = problem(() => loadSessionScripts({ file: own }))
    expect([error.message, error.code]).toEqual([message, 'FIXTURE_INVALID'])
  })

  it.each([
    ['neither', {}, {}, primary],
    ['only the first', { root: 0 }, {}, undefined],
    ['only the second', {}, { root: 0 }, primary],
  ])('refuses several roots of which %s has an ordinal', (name, one, two, blamed) => {
    const file = blamed ?? folder.write(`root.${name}.jsonl`, logText(header(one), []))
    const other = child('second', { parentSession: undefined, ...two })
    const error = problem(() => loadSessionScripts({ file, childFiles: [other] }))
    expect([error.code, error.message]).toEqual([
      'FIXTURE_INVALID',
      `llm-replay: ${blamed ?? other}: one of 2 sessions without a parent, and its header has no "root" to tell ` +
        'them apart; record the scenario again, or number them in the order of session/new',
    ])
  })

  it('case R13: refuses two roots of one ordinal', () => {
    const [a = '', b = ''] = ['one', 'two'].map((id) =>
      child(id, { parentSession: undefined, root: 3 }),
    )
    const files = { file: a, childFiles: [b] }
    expect(problem(() => loadSessionScripts(files)).message).toBe(
      `llm-replay: ${a} and ${b} are both root 3`,
    )
  })

  it('case R13: refuses two children in one place, whatever their call ids', () => {
    const spawnedBy = { turn: 1, step: 2, call: 0, index: 0 }
    const a = child('a', { spawnedBy: { ...spawnedBy, callId: 'x' } })
    const b = child('b', { spawnedBy })
    const other = child('c', { parentSession: 'a', spawnedBy })
    const files = { file: primary, childFiles: [a, other, b] }
    const error = problem(() => loadSessionScripts(files))
    expect([error.code, error.message]).toEqual([
      'FIXTURE_INVALID',
      `llm-replay: ${a} and ${b} have the same place among the children of "primary": ${JSON.stringify(spawnedBy)}`,
    ])
    expect(loadSessionScripts({ file: primary, childFiles: [a, other] })).toHaveLength(3)
  })

  it('refuses a cycle', () => {
    const a = child('a', { parentSession: 'b', createdAt: 1 })
    const b = child('b', { parentSession: 'a', createdAt: 2 })
    expect(problem(() => loadSessionScripts({ file: primary, childFiles: [a, b] })).message).toBe(
      `llm-replay: ${b}: the session "a" is its own ancestor`,
    )
  })

  it('case R13: refuses two logs of one session', () => {
    const twin = child('primary', { parentSession: undefined })
    expect(problem(() => loadSessionScripts({ file: primary, childFiles: [twin] })).message).toBe(
      `llm-replay: ${primary} and ${twin} are logs of one session, "primary"`,
    )
  })
})
