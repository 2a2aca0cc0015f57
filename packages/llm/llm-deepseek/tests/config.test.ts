import { describe, expect, test } from 'vitest'
import { Config, resolveSettings } from '../src/index.ts'

const settings = (config: Config = {}, env: Record<string, string | undefined> = {}) =>
  resolveSettings(config, env)

describe('Config', () => {
  test('undefined and values that are present but undefined parse', () => {
    expect(Config.parse(undefined)).toEqual({})
    expect(Config.parse({ apiKey: undefined, baseUrl: undefined, models: undefined })).toEqual({})
  })

  test('everything can be set', () => {
    const config = {
      apiKey: 'k',
      baseUrl: 'https://h',
      models: ['m'],
      connectTimeoutMs: 300_000,
      idleTimeoutMs: 300_000,
      totalTimeoutMs: 86_400_000,
      sessionHeader: 'x-lineage',
    }
    expect(Config.parse(config)).toEqual(config)
  })

  test.each([
    ['an unknown key', { apikey: 'k' }],
    ['no models', { models: [] }],
    ['an empty model', { models: [''] }],
    ['a wait of nothing', { connectTimeoutMs: 0 }],
    ['a fraction', { idleTimeoutMs: 0.5 }],
    ['a connect wait beyond the bound', { connectTimeoutMs: 300_001 }],
    ['an idle wait beyond the bound', { idleTimeoutMs: 300_001 }],
    ['a total beyond the bound', { totalTimeoutMs: 86_400_001 }],
    ['no header name', { sessionHeader: 'x lineage' }],
    ['a header that carries the key', { sessionHeader: 'Authorization' }],
    ['a header of the transport', { sessionHeader: 'content-length' }],
  ])('refuses %s', (_, config) => {
    expect(Config.safeParse(config).success).toBe(false)
  })

  test.each(['accept', 'connection', 'content-type', 'host', 'transfer-encoding'])(
    'refuses to put the lineage into %s',
    (sessionHeader) => {
      expect(Config.safeParse({ sessionHeader }).error?.issues[0]?.message).toBe(
        'a header with a use of its own',
      )
    },
  )
})

describe('resolveSettings', () => {
  test('has a default for everything but the key', () => {
    expect(settings()).toEqual({
      apiKey: undefined,
      endpoint: new URL('https://api.deepseek.com/chat/completions'),
      models: undefined,
      connectTimeoutMs: 60_000,
      idleTimeoutMs: 120_000,
      totalTimeoutMs: 1_800_000,
      sessionHeader: undefined,
    })
  })

  test('takes what is configured', () => {
    expect(
      settings({
        apiKey: ' k\n',
        baseUrl: 'http://h:1',
        models: ['m'],
        connectTimeoutMs: 1,
        idleTimeoutMs: 2,
        totalTimeoutMs: 3,
        sessionHeader: 'x-l',
      }),
    ).toEqual({
      apiKey: 'k',
      endpoint: new URL('http://h:1/chat/completions'),
      models: ['m'],
      connectTimeoutMs: 1,
      idleTimeoutMs: 2,
      totalTimeoutMs: 3,
      sessionHeader: 'x-l',
    })
  })

  test('the environment fills what is absent or empty', () => {
    const env = { DEEPSEEK_API_KEY: 'env-key\n', DEEPSEEK_BASE_URL: 'https://env' }
    expect(settings({}, env)).toMatchObject({ apiKey: 'env-key' })
    expect(settings({}, env).endpoint.href).toBe('https://env/chat/completions')
    expect(settings({ apiKey: '', baseUrl: ' ' }, env)).toMatchObject({ apiKey: 'env-key' })
    expect(settings({ apiKey: '', baseUrl: ' ' }, env).endpoint.host).toBe('env')
  })

  test('the configuration beats the environment', () => {
    const env = { DEEPSEEK_API_KEY: 'env-key', DEEPSEEK_BASE_URL: 'not a url' }
    expect(settings({ apiKey: 'mine', baseUrl: 'https://mine' }, env)).toMatchObject({
      apiKey: 'mine',
      endpoint: { host: 'mine' },
    })
  })

  test('an empty variable counts as unset', () => {
    const { apiKey, endpoint } = settings({}, { DEEPSEEK_API_KEY: '', DEEPSEEK_BASE_URL: '' })
    expect(apiKey).toBeUndefined()
    expect(endpoint.host).toBe('api.deepseek.com')
  })

  test('an empty sessionHeader counts as unset', () => {
    expect(settings(Config.parse({ sessionHeader: '' })).sessionHeader).toBeUndefined()
  })

  test.each([
    ['https://h', 'https://h/chat/completions'],
    ['https://h/', 'https://h/chat/completions'],
    ['https://h/v1//', 'https://h/v1/chat/completions'],
    ['https://h/v1?api-version=2#part', 'https://h/v1/chat/completions?api-version=2'],
  ])('of the base %s, the endpoint is %s', (baseUrl, expected) => {
    expect(settings({ baseUrl }).endpoint.href).toBe(expected)
  })

  test.each([
    ['h/v1', 'baseUrl is not an absolute URL'],
    ['ftp://h', 'baseUrl has the protocol ftp:'],
    ['https://user:hunter2@h', 'baseUrl holds a user name or a password'],
    ['https://:hunter2@h', 'baseUrl holds a user name or a password'],
    ['https://hunter2@h', 'baseUrl holds a user name or a password'],
  ])('refuses %s and does not repeat it', (baseUrl, why) => {
    expect(() => settings({ baseUrl })).toThrow(
      expect.objectContaining({
        code: 'INVALID_CONFIG',
        message: `${why}; expected something like https://api.deepseek.com`,
      }),
    )
  })

  test('names the variable where the environment is at fault', () => {
    expect(() => settings({}, { DEEPSEEK_BASE_URL: 'nowhere' })).toThrow(
      '$DEEPSEEK_BASE_URL is not an absolute URL',
    )
  })
})
