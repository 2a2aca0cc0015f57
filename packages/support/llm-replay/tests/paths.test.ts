import { describe, expect, it } from 'vitest'
import { lexicalAliases } from '../src/index.ts'
import { pathFinder } from '../src/paths.ts'

/** What is found, as it is written in the text. */
const found = (text: string, ...paths: string[]): string[] =>
  pathFinder((paths.length === 0 ? ['/tmp/abc'] : paths).map((find) => ({ find })))(text).map(
    ({ start, end }) => text.slice(start, end),
  )

describe('what may stand before a path', () => {
  it.each(
    [
      ['', ' ', '\n', '\t', '"', "'", '`', '(', '=', ',', '[', '{', '<', '>', ':', ';', '|', '&'],
      ['@', '+', '$', '*', '!', '?', '#', '%', '^', ')', ']', '}', '}}', '{{x}}', '${A}', '😀'],
      ['文件在', 'ファイルは', 'データー', '경로', 'ไฟล์', '、', '“', '—', '：', '\u00a0'],
      ['-I', ' -I', '=-L', '"-I', '文-I', 'file://', '/', '//', 'a ///', 'host:', ':/', '文//'],
      ['-', 'a\n-', '\r-', 'a\\n-', 'a\\r-', '):/', '\n+', 'file:\\/\\/', '\\/', '\\\\/', '-I/'],
      ['\\n', '\\t', '\\r', '\\b', '\\f', '\\\\n', '\\u5728', '\\u0020', '\\\\u0022', '\\n-I'],
      ['{{system}}', '{{cwd}', 'x'.repeat(70) + ' '],
    ].flat(),
  )('%j', (before) => {
    expect(found(`${before}/tmp/abc`)).toEqual(['/tmp/abc'])
    expect(found(`${before}/tmp/abc/x`)).toEqual(['/tmp/abc'])
  })

  it.each(
    [
      ['a', 'Z', '0', '_', 'é', 'e\u0301', 'ж', 'λ', '²', '𝒳', 'אּ', 'अ'],
      ['.', '..', '~', ' -', '--', 'x-', '\\t-', ' .', ' ~', 'x\\u002d'],
      ['a/', '2:/', 'a//', './', 'a\\/', '.\\/', '~//', 'http:/', 'http:\\/', 'a/ b/'],
      ['\\x', '\\u00e9', '\\\\u00E9', '\\u0061', '\\ud835\\udcb3', '\\na', '\\u00e9\\/'],
      ['x-I', '--I', '.-I', '}-I', '{{id.1}}-I', ' -In', 'é-I', '@-I', '-II', ' -é'],
      ['{{cwd}}', '{{cwd}}/', '{{id.12}}', '{{session}}', '{{session.3}}', '{{sessionId}}'],
    ].flat(),
  )('not %j', (before) => {
    expect(found(`${before}/tmp/abc`)).toEqual([])
    expect(found(`${before}/tmp/abc ${'x'.repeat(200)}`)).toEqual([])
  })
})

describe('what may stand after a path', () => {
  it.each(
    [
      ['', '/', '/x', ' ', '\n', '"', "'", '`', ')', ',', ':', ';', ']', '}', '>', '<', '|', '&'],
      ['=', '*', '**', '!', '?', '#L1', '^', '\\', '\\n', '\\"', '\\/x', '\\\\n', '\\u0022', '{'],
      ['.', '...', '. Then', '.\n', '."', '.)', '.\\n', '.\\u0020x', '.。', '。', '，', '’', '…'],
      ['目录', 'の中', 'ーの', '에서', 'ครับ', '\\u76ee', '😀', '\u00a0', '—', '\u200b'],
      ['{{x', '{{cwd}}', '{{id.', '{{session', '{{id.x}}', '$', '$ ', '$/', '$1', '%', '%s', '% '],
      ['.{{x', '.$', '.%', '.*', '\\.*', './', '.\\/'],
    ].flat(),
  )('%j', (after) => {
    expect(found(`/tmp/abc${after}`)).toEqual(['/tmp/abc'])
  })

  it.each(
    [
      [
        'd',
        'D',
        '1',
        '_',
        'é',
        '\u0301',
        'ж',
        '²',
        '𝒳',
        '-',
        '-1',
        '-$x',
        '~',
        '@',
        '@x',
        '+',
        '+x',
      ],
      ['.bak', '..b', '...b', '.1', '._', '.é', '.备份', '.-', '.~', '.@x', '.+', '.$x', '.%20'],
      ['\\.bak', '\\..bak', '\\-x', '\\ x', '\\\\ x', '%20x', '%C3', '$x', '$_', '${x}', '$(x)'],
      ['\\u00e9', '\\\\u00E9', '\\u002ebak', '.\\u0062', '\\u002d', '\\ud835\\udcb3'],
      ['{{id.1}}', '{{session}}', '{{session.2}}', '{{sessionId}}', '.{{id.10}}', '..{{session}}'],
    ].flat(),
  )('not %j', (after) => {
    expect(found(`/tmp/abc${after}`)).toEqual([])
    expect(found(`"/tmp/abc${after}"`)).toEqual([])
  })
})

describe('what is found', () => {
  it.each([
    ['/tmp/abc', '/tmp//abc', '\\/tmp\\/abc', '\\\\/tmp\\\\/abc', '\\u002ftmp\\u002Fabc'],
    ['/tmp/abc', '/private/tmp/abc', '\\/private\\/tmp\\/abc', '/tmp\\/\\/abc', '/tmp/\\u0061bc'],
    ['/private/var/a', '/var/a', '/private/var/a'],
    ['/w/a"b', '/w/a"b', '/w/a\\"b', '/w/a\\\\\\"b', '/w/a\\u0022b'],
    ['/w/a\\b', '/w/a\\b', '/w/a\\\\b', '/w/a\\u005cb', '/w/a\\\\u005Cb'],
    ['/w/a\nb', '/w/a\nb', '/w/a\\nb', '/w/a\\\\nb', '/w/a\\u000ab'],
    ['/w/é', '/w/é', '/w/\\u00e9', '/w/\\u00E9'],
    ['/w/😀', '/w/😀', '/w/\\ud83d\\ude00', '/w/\\\\uD83D\\\\uDE00'],
    ['/w//a//', '/w/a', '/w//a'],
  ])('%j in each of its forms', (path, ...forms) => {
    for (const form of forms) expect(found(`x "${form}" x`, path)).toEqual([form])
  })

  it('says where, which, and how its slashes are written', () => {
    const find = pathFinder([{ find: '/a' }, { find: '{{cwd}}', anyStart: true, anyEnd: true }])
    expect(find('/a x{{cwd}}y \\\\/a \\u002fa \\{{cwd}}')).toEqual([
      { start: 0, end: 2, needle: 0, slash: '/' },
      { start: 4, end: 11, needle: 1, slash: '/' },
      { start: 13, end: 17, needle: 0, slash: '\\\\/' },
      { start: 18, end: 25, needle: 0, slash: '/' },
      { start: 27, end: 34, needle: 1, slash: '/' },
    ])
    expect(find('/A /b')).toEqual([])
    expect(pathFinder([{ find: '/a/b' }])('\\u002fa\\/b')).toMatchObject([{ end: 10, slash: '/' }])
  })

  it('the longest, or a shorter one where the longest goes on', () => {
    expect(found('/a/b/c /a/b', '/a', '/a/b')).toEqual(['/a/b', '/a/b'])
    expect(found('/a/bc', '/a/b', '/a')).toEqual(['/a'])
    expect(found('/a/bc', '/a/b')).toEqual([])
  })

  it('a path that begins within what is none, and none that goes on from another', () => {
    expect(found('x/a:/a:/a y', '/a:/a')).toEqual(['/a:/a'])
    expect(found('/a)/a) /a)', '/a)')).toEqual(['/a)', '/a)'])
  })

  it('again from the start of the next text', () => {
    const find = pathFinder([{ find: '/a' }])
    expect(find('xxxxxx /a')).toHaveLength(1)
    expect(find('/a')).toHaveLength(1)
  })

  it('nothing where there is nothing to look for', () => {
    expect(found('/ // a', '/', '')).toEqual([])
    expect(pathFinder([])('/a')).toEqual([])
  })

  it('in a time that grows with the text, whatever it holds', () => {
    for (const noise of ['\\', '/', '\\/', '.', '-', 'a/', '/tmp/']) {
      expect(found(`/tmp/abc ${noise.repeat(100_000)}`)).toEqual(['/tmp/abc'])
    }
  })
})

it.each([
  ['/srv/a', ['/srv/a']],
  ['/tmp/a', ['/tmp/a', '/private/tmp/a']],
  ['/private/etc/a', ['/etc/a', '/private/etc/a']],
  ['/tmp', ['/tmp']],
  ['/x/tmp/a', ['/x/tmp/a']],
  ['tmp/a', []],
  ['{{cwd}}', []],
])('the aliases of %j', (path, aliases) => {
  expect(lexicalAliases(path)).toEqual(aliases)
})
