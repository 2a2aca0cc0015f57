import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cwdMapping, cwdTokens, replaceInText } from '../src/index.ts'
import { check } from './helpers/property.ts'

const LIVE = '/live/w'
const mapText = (text: string, recorded = '/rec/w', live = LIVE): string =>
  replaceInText(text, cwdMapping(recorded, live).text)
const mapJson = (text: string, recorded = '/rec/w', live = LIVE): string =>
  replaceInText(text, cwdMapping(recorded, live).json)

describe('the recorded cwd in text', () => {
  it.each([
    ['/rec/w', '/live/w'],
    ['/rec/w/a.txt and /rec/w.', '/live/w/a.txt and /live/w.'],
    ['"/rec/w", (/rec/w) `/rec/w`:/rec/w', '"/live/w", (/live/w) `/live/w`:/live/w'],
    ['cd /rec/w; x=/rec/w @/rec/w', 'cd /live/w; x=/live/w @/live/w'],
    ['cc -I/rec/w/inc', 'cc -I/live/w/inc'],
    ['-L/rec/w', '-L/live/w'],
    ['file:///rec/w/a', 'file:///live/w/a'],
    ['/rec/w... /rec/w\\n', '/live/w... /live/w\\n'],
    ['/rec/w/rec/w', '/live/w/rec/w'],
    ['/rec/wx/rec/w /rec/w', '/rec/wx/rec/w /live/w'],
    ['\\/rec\\/w\\.*', '\\/live\\/w\\.*'],
    ['\\n/rec/w', '\\n/live/w'],
  ])('maps %s', (text, expected) => {
    expect(mapText(text)).toBe(expected)
  })

  it.each([
    '/rec/wide',
    '/rec/w2',
    '/rec/wé',
    '/rec/w-old',
    '/rec/w_old',
    '/rec/w~',
    '/rec/w@2',
    '/rec/w+',
    '/rec/w.txt',
    '/rec/w._',
    '/rec/w.é',
    '/private/rec/w',
    'é/rec/w',
    '2/rec/w',
    '_/rec/w',
    '~/rec/w',
    './rec/w',
    '../rec/w',
    ' -/rec/w',
    'x//rec/w',
    'ab-I/rec/w',
    '-In/rec/w',
    '/REC/W',
    'n/rec/w',
  ])('leaves %s alone', (text) => {
    expect(mapText(text)).toBe(text)
  })

  it('takes every character of a path as it is', () => {
    expect(mapText('/a.b(c)[d]{e}^$*+?|-/x', '/a.b(c)[d]{e}^$*+?|-')).toBe('/live/w/x')
    expect(mapText('/a-b/x', '/a.b')).toBe('/a-b/x')
    expect(mapText('/rec/w', '/rec/w', '/$&/$1')).toBe('/$&/$1')
    expect(mapText('/w/😀/x', '/w/😀')).toBe('/live/w/x')
  })

  it('does without a trailing slash of the header', () => {
    expect(mapText('/rec/w/a /rec/w', '/rec/w//')).toBe('/live/w/a /live/w')
  })

  it.each([undefined, '/', '', 'rec/w'])('maps nothing but the token when the cwd is %j', (cwd) => {
    const { text, json } = cwdMapping(cwd, LIVE)
    const given = '"/ /x rec/w undefined {{cwd}}/x"'
    for (const find of [text, json]) {
      expect(replaceInText(given, find)).toBe('"/ /x rec/w undefined /live/w/x"')
    }
  })
})

describe('the token', () => {
  it('is mapped wherever it stands', () => {
    expect(mapText('x{{cwd}}y {{cwd}}{{cwd}} /rec/w')).toBe('x/live/wy /live/w/live/w /live/w')
    expect(mapText('{{cwd}}/a', '{{cwd}}')).toBe('/live/w/a')
    expect(mapText('{{cwd}/a {{CWD}} {{system}}')).toBe('{{cwd}/a {{CWD}} {{system}}')
  })

  it('names the folder above when the session ran below it', () => {
    expect(mapText('{{cwd}}/a {{cwd}}/w/b {{cwd}}/wide', '{{cwd}}/w')).toBe(
      '/live/a /live/w/b /live/wide',
    )
    expect(mapText('{{cwd}}/a {{cwd}}/sub/b', '{{cwd}}/sub')).toBe('/live/w/a /live/w/b')
    expect(mapText('x{{cwd}}/sub/b', '{{cwd}}/sub')).toBe('x/live/w/b')
    expect(mapText('{{cwd}}/a', '{{cwd}}w')).toBe('/live/w/a')
  })
})

describe('cwdTokens', () => {
  it('puts the token in place of the live cwd, under each of its paths', () => {
    const find = cwdTokens(['/tmp/w', '/home/me/w/', 'w', ''])
    const text = '/tmp/w/a \\/private\\/tmp\\/w /home/me/w. /home/me/wide w {{cwd}}'
    expect(replaceInText(text, find)).toBe('{{cwd}}/a {{cwd}} {{cwd}}. /home/me/wide w {{cwd}}')
    expect(find('/tmp/w')).toEqual([{ start: 0, end: 6, text: '{{cwd}}' }])
    expect(cwdTokens(['w'])('w /w')).toEqual([])
  })
})

describe('the recorded cwd in JSON text', () => {
  it.each([
    ['{"path":"/rec/w/a"}', '{"path":"/live/w/a"}'],
    ['{"path":"\\/rec\\/w\\/a"}', '{"path":"\\/live\\/w\\/a"}'],
    ['{"c":"cd\\n/rec/w\\n/rec/w\\t/rec/w"}', '{"c":"cd\\n/live/w\\n/live/w\\t/live/w"}'],
    ['{"c":"\\r/rec/w\\b/rec/w\\f/rec/w"}', '{"c":"\\r/live/w\\b/live/w\\f/live/w"}'],
    ['{"c":"\\"/rec/w\\""}', '{"c":"\\"/live/w\\""}'],
    ['{"c":"\\u002frec\\u002Fw \\u002frec/\\u0077"}', '{"c":"/live/w /live/w"}'],
    ['{"c":"file:\\/\\/\\/rec/w"}', '{"c":"file:\\/\\/\\/live\\/w"}'],
    ['{"c":"\\\\n/rec/w"}', '{"c":"\\\\n/live/w"}'],
    ['{"c":"\\\\/rec/w"}', '{"c":"\\\\/live\\\\/w"}'],
    ['{"c":"\\\\u002frec/w"}', '{"c":"/live/w"}'],
    ['{"c":"\\\\\\\\t/rec/w"}', '{"c":"\\\\\\\\t/live/w"}'],
    ['{"c":"{\\"p\\":\\"/rec/w\\"}"}', '{"c":"{\\"p\\":\\"/live/w\\"}"}'],
  ])('maps %s', (text, expected) => {
    expect(mapJson(text)).toBe(expected)
  })

  it.each([
    '{"c":"n/rec/w"}',
    '{"c":"x\\/rec\\/w"}',
    '{"c":"/rec/wide"}',
    '{"c":"\\u00e9/rec/w"}',
    '{"c":"/rec/w\\u00e9"}',
    '{"c":"/rec/w\\u002ebak"}',
  ])('leaves %s alone', (text) => {
    expect(mapJson(text)).toBe(text)
  })

  it('is found in whatever way a path is escaped, and stays the same JSON otherwise (property)', () => {
    const segment = fc.string({ minLength: 1, maxLength: 6 }).filter((part) => !part.includes('/'))
    const path = fc
      .array(segment, { minLength: 1, maxLength: 3 })
      .map((parts) => `/${parts.join('/')}`)
    const escapes = fc.infiniteStream(fc.nat(2))
    const hex = (character: string): string =>
      Array.from({ length: character.length }, (_, unit) => {
        const digits = character.charCodeAt(unit).toString(16).padStart(4, '0')
        return `\\u${unit % 2 === 0 ? digits : digits.toUpperCase()}`
      }).join('')
    check(
      fc.property(path, path, escapes, (recorded, live, choices) => {
        const written = Array.from(recorded, (character) => {
          const choice = choices.next().value
          if (choice === 0) return hex(character)
          return choice === 1 && character === '/' ? '\\/' : JSON.stringify(character).slice(1, -1)
        }).join('')
        const mapped = mapJson(`{"path":"${written}/x","other":"é\\n"}`, recorded, live)
        expect(JSON.parse(mapped)).toEqual({ path: `${live}/x`, other: 'é\n' })
      }),
      500,
    )
  })
})
