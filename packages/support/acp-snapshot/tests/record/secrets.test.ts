import { describe, expect, it } from 'vitest'
import { secretShapes } from '../../src/record/secret-shapes.ts'
import { describeSecret, findSecrets } from '../../src/record/secrets.ts'
import { jsonl } from '../temp.ts'

// Put together here, so that no scanner takes this file for a leak.
const key = `sk-${'a1B2'.repeat(8)}`
const shapes = secretShapes({})
const scan = (files: Record<string, string>, known = shapes) =>
  findSecrets(new Map(Object.entries(files)), known)
const event = (data: unknown, type = 'assistant/chunk') => ({ type, seq: 0, time: 0, data })
const delta = (text: string) =>
  event({ turn: 1, step: 1, chunk: { type: 'text-delta', index: 0, text } })

describe('what looks like a secret', () => {
  it.each([
    ['an API key (sk-…)', key],
    ['an API key (sk-…)', `sk-proj-${'x'.repeat(24)}`],
    ['a GitHub token', `ghp_${'x'.repeat(36)}`],
    ['a GitHub token', `github_pat_${'x'.repeat(22)}`],
    ['a GitLab token', `glpat-${'x'.repeat(20)}`],
    ['an npm token', `npm_${'x'.repeat(36)}`],
    ['an AWS key id', `AKIA${'X'.repeat(16)}`],
    ['an AWS key id', `ASIA${'X'.repeat(16)}`],
    ['a Google API key', `AIza${'x'.repeat(35)}`],
    ['a Google access token', `ya29.${'x'.repeat(20)}`],
    ['a Slack token', `xoxb-${'1'.repeat(12)}`],
    ['a Slack token', `xapp-${'1'.repeat(12)}`],
    ['a Stripe key', `sk_live_${'x'.repeat(24)}`],
    ['a Hugging Face token', `hf_${'x'.repeat(34)}`],
    ['a bearer token', `BEARER ${'x'.repeat(20)}`],
    ['a basic authorization', `Authorization: Basic ${'x'.repeat(12)}`],
    ['a basic authorization', `{"authorization":"basic ${'x'.repeat(12)}"}`],
    ['a signed web token', `eyJ${'x'.repeat(20)}.eyJ${'x'.repeat(20)}.${'x'.repeat(20)}`],
    ['a bearer token', `Bearer ${'x'.repeat(20)}`],
    ['a bearer token', `bearer ${'x'.repeat(20)}`],
    ['a private key', '-----BEGIN RSA PRIVATE KEY-----'],
    ['a private key', '-----BEGIN OPENSSH PRIVATE KEY-----'],
    ['a private key', '-----BEGIN PRIVATE KEY-----'],
  ])('is %s', (what, secret) => {
    const found = scan({ 'a.txt': `so it is "${secret}"` })
    expect(found.map((finding) => finding.what)).toContain(what)
    expect(JSON.stringify(found)).not.toContain(secret)
  })

  it.each([
    'task-management-software-development-kit',
    'sk-short',
    'a desk-aaaaaaaaaaaaaaaaaaaaaaaaaaaa',
    '-----BEGIN PUBLIC KEY-----',
    'AKIAX',
    `xAKIA${'X'.repeat(16)}`,
    `1AKIA${'X'.repeat(16)}`,
    `ghp_${'x'.repeat(35)}`,
    `github_pat_${'x'.repeat(21)}`,
    `glpat-${'x'.repeat(19)}`,
    `npm_${'x'.repeat(35)}`,
    `AKIA${'X'.repeat(15)}`,
    `AIza${'x'.repeat(34)}`,
    `xoxb-${'1'.repeat(9)}`,
    `eyJ${'x'.repeat(20)}.eyJ${'x'.repeat(20)}`,
    `Bearer ${'x'.repeat(19)}`,
    'Basic understanding of authorization',
  ])('is not %s', (text) => {
    expect(scan({ 'a.txt': text })).toEqual([])
  })
})

describe('the secrets of an environment', () => {
  const env = {
    DEEPSEEK_API_KEY: ' hunter-number-2\n',
    MY_PASSWORD: 'with "quotes" in it',
    SSH_KEY_PATH: '/home/me/key.pem',
    A_TOKEN: 'short',
    EMPTY_SECRET: undefined,
    TOKENS: 'tokens-are-counted',
  }
  it('are found by the value of variables that are secrets by name', () => {
    const own = secretShapes(env).slice(0, -shapes.length)
    expect(own.map(({ name }) => name)).toEqual([
      'the value of $DEEPSEEK_API_KEY',
      'the value of $MY_PASSWORD',
    ])
    const found = scan({ 'a.txt': 'hunter-number-2', 'b.txt': '/home/me/key.pem short' }, own)
    expect(found.map(describeSecret)).toEqual([
      'a.txt:1: the value of $DEEPSEEK_API_KEY (hunt…, 15 characters)',
    ])
    expect(found).toEqual([
      {
        file: 'a.txt',
        line: 1,
        path: '',
        what: 'the value of $DEEPSEEK_API_KEY',
        shown: 'hunt…, 15 characters',
      },
    ])
  })

  it('are those of names that end so, from 8 characters on', () => {
    const names = ['KEY', 'PASSWORD', 'my_pat', 'A_PASSWD', 'A_SECRET', 'A_CREDENTIAL']
    const more = ['CREDENTIALS', 'A_TOKEN']
    const value = (name: string) => ({ [name]: '12345678', [`${name}_FILE`]: '12345678' })
    const all = Object.assign({ MONKEY: '12345678' }, ...[...names, ...more].map(value)) as object
    expect(
      secretShapes({ ...all })
        .slice(0, -shapes.length)
        .map(({ name }) => name),
    ).toEqual([...names, ...more].map((name) => `the value of $${name}`))
  })

  it.each([
    'OPENAI_API_KEY_2',
    'OPENAI_API_KEY_PROD',
    'openai_apikey',
    'AWS_SECRET_ACCESS_KEY',
    'SECRETKEY',
    'GPG_PASSPHRASE',
    'MYSQL_PWD',
    'DB_PASS',
    'GITHUB_PAT',
  ])('%s is one of them', (name) => {
    expect(secretShapes({ [name]: 'hunter-number-2' })).toHaveLength(shapes.length + 1)
  })

  it.each(['PWD', 'OLDPWD', 'MONKEY', 'KEYBOARD', 'SSH_KEY_PATH', 'KEY_PATH_2', 'COMPASS'])(
    '%s is none of them',
    (name) => {
      expect(secretShapes({ [name]: 'hunter-number-2' })).toHaveLength(shapes.length)
    },
  )

  it('are found as a tool would write them', () => {
    const own = secretShapes({ A_TOKEN: 'p@ss/w0rd+ü\ud800' })
    const forms = [
      'p%40ss%2Fw0rd%2B%C3%BC%EF%BF%BD',
      Buffer.from('p@ss/w0rd+ü\ud800').toString('base64'),
      String.raw`{"a":"p\u0040ss/w0rd+\u00fc\ud800"}`,
    ]
    for (const text of forms) {
      expect(scan({ 'a.txt': `it is ${text}.` }, own).map(({ what }) => what)).toEqual([
        'the value of $A_TOKEN',
      ])
    }
  })

  it('are found in JSON that is a string itself, however deep', () => {
    const own = secretShapes(env)
    const inner = JSON.stringify({ command: 'echo with "quotes" in it' })
    const twice = JSON.stringify({ arguments: inner })
    for (const text of [inner, twice]) expect(scan({ 'a.txt': text }, own)).toHaveLength(1)
  })
})

describe('where a secret is found', () => {
  it('in a prompt, a tool output and a header, with line and path', () => {
    const text = jsonl(
      { type: 'session', id: 'x' },
      event({ content: [{ type: 'text', text: `use ${key}` }] }, 'user/message'),
      event({ content: [{ type: 'text', text: `${key}\n` }], isError: false }, 'tool/result'),
      event({ header: { system: `You know ${key}` } }, 'request/header'),
    )
    expect(scan({ 'session.jsonl': text }).map(describeSecret)).toEqual([
      'session.jsonl:2 data.content[0].text: an API key (sk-…) (sk-a…, 35 characters)',
      'session.jsonl:3 data.content[0].text: an API key (sk-…) (sk-a…, 35 characters)',
      'session.jsonl:4 data.header.system: an API key (sk-…) (sk-a…, 35 characters)',
    ])
  })

  it('in a key of an object', () => {
    const [found] = scan({ 'a.jsonl': jsonl({ data: { [key]: 1 } }) })
    expect(found).toMatchObject({ line: 1, path: 'data' })
  })

  it('over the pieces of a stream, in a log and in a transcript', () => {
    const pieces = [key.slice(0, 5), key.slice(5, 20), key.slice(20)]
    const log = jsonl(
      { type: 'session', id: 'x' },
      delta('it is '),
      ...pieces.map((piece) => delta(piece)),
    )
    const said = jsonl(
      ...pieces.map((text) => ({
        params: {
          sessionId: 's',
          update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } },
        },
      })),
    )
    const row = jsonl({ type: 'text-chunks', data: { index: 0, dt: [0, 0], texts: pieces } })
    const found = scan({ 'session.jsonl': log, 'stdout.expected.jsonl': said, 'row.jsonl': row })
    expect(found.map(describeSecret)).toEqual([
      'session.jsonl:2 data.chunk.text: an API key (sk-…) (sk-a…, 35 characters)',
      'stdout.expected.jsonl:1 params.update.content.text: an API key (sk-…) (sk-a…, 35 characters)',
      'row.jsonl:1 data.texts[0]: an API key (sk-…) (sk-a…, 35 characters)',
    ])
  })

  it('once, where one piece holds it whole, and not where blocks end', () => {
    const whole = jsonl({ type: 'session', id: 'x' }, delta(key))
    expect(scan({ 'session.jsonl': whole })).toHaveLength(1)
    const parted = jsonl(
      { type: 'session', id: 'x' },
      delta(key.slice(0, 9)),
      event({ turn: 1, step: 1, chunk: { type: 'finish', reason: { kind: 'stop' } } }),
      delta(key.slice(9)),
    )
    expect(scan({ 'session.jsonl': parted })).toEqual([])
  })

  it('nowhere in values that are no text, and in no file that is not what it is called', () => {
    expect(scan({ 'a.jsonl': jsonl({ data: null, list: [null, 1, true] }) })).toEqual([])
    expect(() => scan({ 'a.jsonl': '{}\nnope\n' })).toThrow('a.jsonl: line 2 is not JSON: "nope"')
  })

  it('nowhere in rows without pieces', () => {
    const rows = jsonl({ type: 'text-chunks', data: { index: 0, texts: [] } })
    expect(scan({ 'session.jsonl': rows })).toEqual([])
  })
})
