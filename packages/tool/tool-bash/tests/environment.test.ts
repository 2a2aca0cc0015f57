import { expect, test } from 'vitest'
import { commandEnvironment } from '../src/environment.ts'

const env = {
  PATH: '/bin',
  HOME: '/h',
  USER: 'u',
  LANG: 'de_DE',
  TZ: 'Europe/Berlin',
  EMPTY: '',
  UNSET: undefined,
  KEYBOARD: 'us',
  MONKEY: 'x',
  SSH_AUTH_SOCK: '/s',
  DSH_SNAPSHOT: 'replay',
  DSH_SNAPSHOT_REPORT: '/r',
  DSH_SNAPSHOT_RUN: 'run',
  DSH_ANYTHING: 'x',
  DEEPSEEK_API_KEY: 's',
  OPENAI_APIKEY: 's',
  GITHUB_TOKEN: 's',
  TOKEN: 's',
  TOKEN_FILE: 's',
  AWS_SECRET_ACCESS_KEY: 's',
  AWS_ACCESSKEY: 's',
  APP_PRIVATEKEY: 's',
  SIGNING_KEY: 's',
  APP_SECRETKEY: 's',
  DB_PASSWORD: 's',
  db_passwd: 's',
  GPG_PASSPHRASE: 's',
  GCP_CREDENTIALS: 's',
  CREDENTIAL: 's',
  CLIENT_SECRET: 's',
}

test('scrubbed: the path, the home, the run, and a fixed locale and zone', () => {
  expect(commandEnvironment('scrubbed', env)).toEqual({
    PATH: '/bin',
    HOME: '/h',
    DSH_SNAPSHOT_RUN: 'run',
    LC_ALL: 'C.UTF-8',
    TZ: 'UTC',
  })
})

test('scrubbed: what is unset stays unset', () => {
  expect(commandEnvironment('scrubbed', {})).toEqual({ LC_ALL: 'C.UTF-8', TZ: 'UTC' })
})

test('inherit: all but secrets and our own variables', () => {
  expect(commandEnvironment('inherit', env)).toEqual({
    PATH: '/bin',
    HOME: '/h',
    USER: 'u',
    LANG: 'de_DE',
    TZ: 'Europe/Berlin',
    EMPTY: '',
    KEYBOARD: 'us',
    MONKEY: 'x',
    SSH_AUTH_SOCK: '/s',
    DSH_SNAPSHOT_RUN: 'run',
  })
})
