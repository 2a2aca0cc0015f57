import { describe, expect, test } from 'vitest'
import { logImports } from '../src/import-log.ts'

const apply = (): void => undefined
const logOf = (answer: () => unknown) => logImports({ import: async () => answer() })

const fail = (error: unknown) => () => {
  throw error
}

describe('logImports', () => {
  test.each<[string, unknown]>([
    ['a function', apply],
    ['a namespace with apply', { name: 'p', apply }],
    ['a default export', { default: { apply } }],
    ['a default export within a default export', { default: { default: apply } }],
  ])('passes on %s as it came', async (_what, module) => {
    const log = logOf(() => module)
    await expect(log.import('p', 'file:///a/')).resolves.toBe(module)
    expect(log.failureOf('p', 'file:///a/')).toBeUndefined()
  })

  test.each<[string, unknown]>([
    ['an empty namespace', {}],
    ['nothing', undefined],
    ['null', null],
    ['text', 'text'],
    ['a default export that is none', { default: 7, apply }],
  ])('refuses %s', async (_what, module) => {
    const log = logOf(() => module)
    await expect(log.import('p', 'file:///a/')).rejects.toMatchObject({
      code: 'NOT_A_PLUGIN',
      message: '"p" is not a plugin: expected a function or an export named "apply"',
    })
    expect(log.failureOf('p', 'file:///a/')).toHaveProperty('code', 'NOT_A_PLUGIN')
  })

  test('remembers failures by name and folder', async () => {
    const cause = new Error('Cannot find module\nRequire stack:\n- /somewhere/else.js')
    const log = logOf(fail(cause))
    const error: unknown = await log.import('p', 'file:///a/').catch((reason: unknown) => reason)
    expect(error).toMatchObject({
      code: 'IMPORT_FAILED',
      message: 'cannot import "p": Cannot find module',
      cause,
    })
    expect(log.failureOf('p', 'file:///a/')).toBe(error)
    expect(log.failureOf('p', 'file:///b/')).toBeUndefined()
    expect(log.failureOf('q', 'file:///a/')).toBeUndefined()
  })

  test('asks once per name and folder', async () => {
    const asked: string[] = []
    const log = logImports({
      import: async (name, baseUrl) => {
        asked.push(baseUrl + name)
        return apply
      },
    })
    await Promise.all([log.import('p', '/a/'), log.import('p', '/a/'), log.import('p', '/b/')])
    await log.import('q', '/a/')
    expect(asked).toEqual(['/a/p', '/b/p', '/a/q'])
  })

  test('says what a package that exports no default condition lacks', async () => {
    const cause = Object.assign(new Error('No "exports" main defined'), {
      code: 'ERR_PACKAGE_PATH_NOT_EXPORTED',
    })
    await expect(logOf(fail(cause)).import('p', 'file:///a/')).rejects.toThrow(
      'cannot import "p": No "exports" main defined; a plugin package must export the condition "default"',
    )
  })

  test.each([undefined, null, 'text'])('survives a module that throws %s', async (thrown) => {
    await expect(logOf(fail(thrown)).import('p', 'file:///a/')).rejects.toThrow(
      `cannot import "p": ${String(thrown)}`,
    )
  })
})
