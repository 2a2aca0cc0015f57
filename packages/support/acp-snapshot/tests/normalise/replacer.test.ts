import { describe, expect, it } from 'vitest'
import { isUuid } from 'dsh-llm-replay'
import { Replacer } from '../../src/normalise/replacer.ts'
import { TokenBook } from '../../src/normalise/tokens.ts'

const A = '11111111-aaaa-4aaa-8aaa-111111111111'
const B = '22222222-bbbb-4bbb-8bbb-222222222222'

function replacer(options: {
  cwd?: string[]
  sessions?: Record<string, string>
  kept?: string[]
}): Replacer {
  const book = new TokenBook()
  const sessions = Object.entries(options.sessions ?? {})
  for (const [id, token] of sessions) book.addSession(id, token)
  return new Replacer({
    cwdAliases: options.cwd ?? [],
    sessionIds: sessions.map(([id]) => id),
    book,
    kept: new Set(options.kept),
  })
}

describe('paths', () => {
  const at = (text: string, cwd = ['/tmp/x']) => replacer({ cwd }).text(text)

  it.each([
    ['/tmp/x', '{{cwd}}'],
    ['/tmp/x/a.txt', '{{cwd}}/a.txt'],
    ['/tmp/x/', '{{cwd}}/'],
    ['a /tmp/x b', 'a {{cwd}} b'],
    ['"/tmp/x"', '"{{cwd}}"'],
    ['</tmp/x>', '<{{cwd}}>'],
    ['file:///tmp/x', 'file://{{cwd}}'],
    ['a=/tmp/x:/tmp/x', 'a={{cwd}}:{{cwd}}'],
    ['in /tmp/x.', 'in {{cwd}}.'],
    ['in /tmp/x... yes', 'in {{cwd}}... yes'],
    ['in /tmp/x, yes', 'in {{cwd}}, yes'],
    ['在/tmp/x目录', '在{{cwd}}目录'],
    ['gcc -I/tmp/x/inc', 'gcc -I{{cwd}}/inc'],
    ['-L/tmp/x', '-L{{cwd}}'],
    ['${A}/tmp/x', '${A}{{cwd}}'],
    ['@/tmp/x', '@{{cwd}}'],
  ])('finds %j', (text, wanted) => {
    expect(at(text)).toBe(wanted)
  })

  it.each([
    '/tmp/xy',
    '/tmp/x-2',
    '/tmp/x_2',
    '/tmp/x.bak',
    '/tmp/x..b',
    '/tmp/xX',
    '/tmp/x9',
    '/home/tmp/x',
    '/home2/tmp/x',
    '/a_/tmp/x',
    '/a-/tmp/x',
    '~/tmp/x',
    './tmp/x',
    'a--I/tmp/x',
    'x-I/tmp/x',
    '.-I/tmp/x',
    '{{id.1}}-I/tmp/x',
    '{{cwd}}/tmp/x',
    '/tmp/x{{id.1}}',
    '/tmp/x.{{id.1}}',
    'tmp/x',
    '/TMP/x',
  ])('leaves %j', (text) => {
    expect(at(text)).toBe(text)
  })

  it.each([
    ['\\n/tmp/x\\n', '\\n{{cwd}}\\n'],
    ['\\t/tmp/x', '\\t{{cwd}}'],
    ['\\r/tmp/x', '\\r{{cwd}}'],
    ['\\b/tmp/x', '\\b{{cwd}}'],
    ['\\f/tmp/x', '\\f{{cwd}}'],
    ['\\u5728/tmp/x\\u76EE', '\\u5728{{cwd}}\\u76EE'],
    ['\\u000A/tmp/x\\u000a', '\\u000A{{cwd}}\\u000a'],
    ['\\u00e9/tmp/x', '\\u00e9/tmp/x'],
    ['/tmp/x\\u00E9', '/tmp/x\\u00E9'],
    ['"\\/tmp\\/x\\/a"', '"{{cwd}}\\/a"'],
    ['\\"/tmp/x\\"', '\\"{{cwd}}\\"'],
    ['n\\/tmp\\/x', 'n\\/tmp\\/x'],
    ['\\x/tmp/x', '\\x/tmp/x'],
  ])('inside raw JSON: %j', (text, wanted) => {
    expect(at(text)).toBe(wanted)
  })

  it.each([
    ['/t/a"b', '/t/a"b', '/t/a\\"b', '/t/a\\\\\\"b'],
    ['/t/a\\b', '/t/a\\b', '/t/a\\\\b', '/t/a\\\\\\\\b'],
    ['/t/é', '/t/é', '/t/\\u00e9', '/t/\\u00E9', '/t/\\\\u00e9'],
    ['/t/𝒳', '/t/𝒳', '/t/\\ud835\\udcb3', '/t/\\uD835\\uDCB3'],
    ['/t/a\u007f', '/t/a\u007f'],
    ['/t/\u0080', '/t/\u0080', '/t/\\u0080'],
    ['/t/a.b+c*(d)[e]{f}^$|?', '/t/a.b+c*(d)[e]{f}^$|?'],
  ])('finds %j in each escaped form', (path, ...forms) => {
    for (const form of forms) expect(at(`"${form}"`, [path])).toBe('"{{cwd}}"')
    expect(at('/t/aXb+c*(d)[e]{f}^$|?', [path])).toBe('/t/aXb+c*(d)[e]{f}^$|?')
  })

  it('counts no id that is part of the path, and finds one in a path that is another', () => {
    const cwd = [`/tmp/${A}/x`]
    expect(at(`${B} /tmp/${A}/x/${B} /tmp/${A}/xy /tmp/${A}/x`, cwd)).toBe(
      '{{id.1}} {{cwd}}/{{id.1}} /tmp/{{id.2}}/xy {{cwd}}',
    )
  })

  it('takes the longest path that matches', () => {
    const cwd = ['/tmp', '/tmp/x/y', '/tmp/x', '/private/tmp/x']
    expect(at('/tmp/x/y/z /private/tmp/x /tmp/x/q /tmp/z', cwd)).toBe(
      '{{cwd}}/z {{cwd}} {{cwd}}/q {{cwd}}/z',
    )
    expect(at('/tmp/x/yy', cwd)).toBe('{{cwd}}/yy')
  })

  it('ignores final slashes, the root, and what is no absolute path', () => {
    expect(at('/a/b', ['/a//'])).toBe('{{cwd}}/b')
    expect(at('/a/b a {{cwd}}', ['/', '', 'a', '{{cwd}}'])).toBe('/a/b a {{cwd}}')
  })
})

describe('ids', () => {
  it('numbers UUIDs by first sight and knows them again in either case', () => {
    const r = replacer({})
    expect(r.text(`${B} ${A} ${B}`)).toBe('{{id.1}} {{id.2}} {{id.1}}')
    expect(r.text(A.toUpperCase())).toBe('{{id.2}}')
  })

  it('takes the longest of the sessions of which one begins as another', () => {
    const r = replacer({ sessions: { sess_1234: '{{session}}', 'sess_1234.b': '{{session.1}}' } })
    expect(r.text('sess_1234.b sess_1234.')).toBe('{{session.1}} {{session}}.')
  })

  it('gives sessions their own tokens', () => {
    const r = replacer({ sessions: { [A]: '{{session}}', sess_12345: '{{session.1}}' } })
    expect(r.text(`${A} sess_12345 ${A.toUpperCase()}`)).toBe(
      '{{session}} {{session.1}} {{session}}',
    )
  })

  it.each([
    `x${A}`,
    `0${A}`,
    `${A}0`,
    `${A}z`,
    `${A}Z`,
    A.slice(1),
    A.slice(0, -1),
    A.replace('-', ''),
    A.replace('a', 'g'),
  ])('leaves %j', (text) => {
    expect(replacer({}).text(text)).toBe(text)
  })

  it.each([
    [`_${A}_`, '_{{id.1}}_'],
    [`-${A}-`, '-{{id.1}}-'],
    [`id:${A}.`, 'id:{{id.1}}.'],
    [`\\n${A}\\n`, '\\n{{id.1}}\\n'],
    [`\\u00e9${A}`, '\\u00e9{{id.1}}'],
    [`\\n${A}${A}`, `\\n${A}${A}`],
  ])('finds %j', (text, wanted) => {
    expect(replacer({}).text(text)).toBe(wanted)
  })

  it('finds other ids where no word goes on, and short ones only alone', () => {
    const r = replacer({
      sessions: {
        'a.c-12345': '{{session}}',
        'a.c-12345-long': '{{session.1}}',
        main: '{{session.2}}',
      },
    })
    expect(r.text('a.c-12345 (a.c-12345) \\na.c-12345')).toBe(
      '{{session}} ({{session}}) \\n{{session}}',
    )
    expect(r.text('a.c-12345-long')).toBe('{{session.1}}')
    const left = 'abc-12345 xa.c-12345 _a.c-12345 -a.c-12345 a.c-123456 a.c-12345_ a.c-12345-'
    expect(r.text(left)).toBe(left)
    expect(r.text('main')).toBe('{{session.2}}')
    expect(r.text('main thing, the main')).toBe('main thing, the main')
  })

  it('counts an id of 8 characters as one that prose does not hold', () => {
    const r = replacer({ sessions: { abcdefgh: '{{session}}', abcdefg: '{{session.1}}' } })
    expect(r.text('an abcdefgh')).toBe('an {{session}}')
    expect(r.text('an abcdefg')).toBe('an abcdefg')
  })

  it('keeps ids that are data, but never a session', () => {
    const r = replacer({ sessions: { [B]: '{{session}}' }, kept: [A, B] })
    expect(r.text(`${A} ${A.toUpperCase()} ${B}`)).toBe(`${A} ${A.toUpperCase()} {{session}}`)
  })

  it('goes on after the tokens that it has seen', () => {
    const r = replacer({})
    expect(r.text(`${A} {{id.7}} {{id.3}} ${B}`)).toBe('{{id.1}} {{id.7}} {{id.3}} {{id.8}}')
  })

  it('knows a UUID', () => {
    expect([A, A.toUpperCase(), `${A} `, `x${A}`, ''].map(isUuid)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ])
  })
})

it('works over pieces', () => {
  const r = replacer({ cwd: ['/tmp/x'] })
  expect(r.pieces(['see /t', 'mp', '/x', '/a', ` ${A.slice(0, 9)}`, A.slice(9), '!'])).toEqual([
    'see {{cwd}}',
    '',
    '',
    '/a',
    ' {{id.1}}',
    '',
    '!',
  ])
  expect(r.pieces(['/tmp/x', 'y'])).toEqual(['/tmp/x', 'y'])
  expect(r.pieces([])).toEqual([])
})
