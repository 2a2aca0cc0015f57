import type { Context } from '@deepseek-ai/cordis'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  bootFailure,
  deferred,
  ManualClock,
  memory,
  mount,
  Project,
  type Setup,
  teller,
} from './support.ts'

/** Boots one file with plugins from memory; the file's path in the message becomes F. */
async function failure(yaml: string, modules: Record<string, unknown>, setup: Setup = {}) {
  const project = new Project({ 'cordis.yml': yaml })
  const error = await bootFailure(project, 'cordis.yml', { importer: memory(modules), ...setup })
  return { error, text: error.message.replaceAll(project.path('cordis.yml'), 'F') }
}

const fine = { name: 'fine', apply: () => undefined }

describe('a row that does not run', () => {
  test('because it throws', async () => {
    const broken = Object.assign(new Error('no socket', { cause: new Error('refused') }), {
      code: 'EX',
    })
    const apply = () => {
      throw broken
    }
    const { error, text } = await failure('- { id: a, name: bad }\n- { id: b, name: fine }\n', {
      bad: { name: 'bad', apply },
      fine,
    })
    expect(text).toBe(
      'F does not run:\n  - row "a" (bad) failed: no socket [EX]; caused by: refused',
    )
    expect(error).toMatchObject({ code: 'NOT_LOADED', cause: broken })
    expect(error.problems).toEqual([
      {
        id: 'a',
        name: 'bad',
        file: expect.stringMatching(/cordis\.yml$/),
        reason: 'failed: no socket [EX]; caused by: refused',
        waitsFor: [],
        errors: [broken],
      },
    ])
  })

  test('because its start rejects with something that is no error', async () => {
    const { text } = await failure('- { id: a, name: bad }\n', {
      bad: { name: 'bad', apply: () => Promise.reject({ odd: true }) },
    })
    expect(text).toContain('row "a" (bad) failed: threw an object that is no Error')
    expect(text).not.toContain('[object')
  })

  test('because its config is refused', async () => {
    const Config = z.strictObject({ port: z.number() })
    const { text } = await failure('- { id: a, name: bad, config: { prt: 1 } }\n', {
      bad: { name: 'bad', Config, apply: () => undefined },
    })
    expect(text).toMatch(
      /row "a" \(bad\) failed: invalid config:\n {6}- .*\(at port\)\n {6}- .*"prt"/,
    )
  })

  test('because an expression in its config throws', async () => {
    const { text } = await failure('- { id: a, name: fine, config: { x: !!js nowhere.y } }\n', {
      fine,
    })
    expect(text).toContain('row "a" (fine) failed: nowhere is not defined')
  })

  test('because its disabled expression throws', async () => {
    const { error, text } = await failure('- { id: a, name: fine, disabled: !!js nowhere.y }\n', {
      fine,
    })
    expect(text).toContain(
      'row "a" (fine) its "disabled" expression throws: nowhere is not defined',
    )
    expect(error.problems[0]?.errors).toHaveLength(1)
  })

  test('because it waits: the missing services are named, those that are there are not', async () => {
    const { error, text } = await failure('- { id: a, name: waiting }\n', {
      waiting: { name: 'waiting', inject: ['tools', 'probe', 'llm'], apply: () => undefined },
    })
    expect(text).toBe('F does not run:\n  - row "a" (waiting) waits for tools, llm')
    expect(error.problems[0]?.waitsFor).toEqual(['tools', 'llm'])
    expect(error.cause).toBeUndefined()
  })

  test('because it waits for a service that is there and says that it is not ready', async () => {
    const { text } = await failure('- { id: a, name: waiting }\n- { id: b, name: maker }\n', {
      waiting: { name: 'waiting', inject: ['lazy'], apply: () => undefined },
      maker: {
        name: 'maker',
        apply: (ctx: Context) => void ctx.reflect.provide('lazy', {}, () => false),
      },
    })
    expect(text).toBe('F does not run:\n  - row "a" (waiting) waits for lazy')
  })

  test('because there is no such module', async () => {
    const { error, text } = await failure('- { id: a, name: gone }\n- { id: b, name: fine }\n', {
      fine,
    })
    expect(text).toBe('F does not run:\n  - row "a" (gone) cannot import "gone": no module gone')
    expect(error.cause).toMatchObject({ code: 'IMPORT_FAILED' })
  })

  test('because the module is not a plugin', async () => {
    const { text } = await failure('- { id: a, name: odd }\n', { odd: { plug: 1 } })
    expect(text).toBe(
      'F does not run:\n  - row "a" (odd) "odd" is not a plugin: expected a function or an export named "apply"',
    )
  })

  test('because cordis has no such builtin', async () => {
    const { text } = await failure('- { id: a, name: "cordis:includ" }\n', {})
    expect(text).toMatch(
      /^F does not run:\n {2}- row "a" \(cordis:includ\) there is no cordis:includ; there are cordis:include, cordis:group\n/,
    )
  })

  test('because it cannot be mounted at all: what cordis says is passed on', async () => {
    const { text } = await failure('- { id: a, name: odd }\n', { odd: { apply: 'text' } })
    expect(text).toMatch(
      /row "a" \(odd\) did not start; see the errors below\nOther errors that were logged:\n {2}- .*invalid plugin, expect function/,
    )
  })

  test('because it was disposed by another', async () => {
    const victim = { name: 'victim', apply: () => undefined }
    const { text } = await failure('- { id: a, name: victim }\n- { id: b, name: killer }\n', {
      victim,
      killer: {
        name: 'killer',
        apply: async (ctx: Context) => {
          await new Promise((resolve) => setImmediate(resolve))
          ctx.registry.delete(victim)
        },
      },
    })
    expect(text).toContain('row "a" (victim) was disposed')
  })

  test('and only so many are printed, while the error has them all', async () => {
    const yaml = Array.from({ length: 22 }, (_, n) => `- { id: r${n}, name: gone }\n`).join('')
    const { error, text } = await failure(yaml, {})
    expect(text.split('\n')).toHaveLength(22)
    expect(text).toContain('row "r19"')
    expect(text).toMatch(/\n {2}- and 2 more$/)
    expect(error.problems).toHaveLength(22)
  })

  test('and all such rows are listed, those in groups and includes with file and path of ids', async () => {
    const project = new Project({
      'cordis.yml': `
- { id: sub, name: cordis:include, config: { path: ./sub.yml } }
- { id: g, name: cordis:group, group: true, config: [{ id: c, name: ./c.mjs }] }
- { id: ok, name: ./ok.mjs }
`,
      'sub.yml': '- { id: a, name: ./a.mjs }\n- { id: ok, name: ./ok.mjs }\n',
      'a.mjs': 'throw new Error("at import")',
      'c.mjs': 'export const inject = ["never"]; export const apply = () => {}',
      'ok.mjs': teller('ok'),
    })
    const error = await bootFailure(project, 'cordis.yml')
    expect(error.message.replaceAll(`${project.dir}/`, '')).toBe(
      `cordis.yml does not run:
  - row "sub:a" (./a.mjs) cannot import "./a.mjs": at import in sub.yml
  - row "c" (./c.mjs) waits for never`,
    )
  })
})

describe('a plugin that a row mounts in code', () => {
  const bundle = (child: object) => ({
    name: 'bundle',
    apply: (ctx: Context) => mount(ctx, child),
  })

  test('must not fail', async () => {
    const child = {
      name: 'child',
      apply: () => {
        throw new Error('broken inside')
      },
    }
    const { error, text } = await failure('- { id: a, name: bundle }\n', { bundle: bundle(child) })
    expect(text).toBe('F does not run:\n  - row "a" (child) failed: broken inside')
    expect(error.problems.map(({ id, name }) => [id, name])).toEqual([['a', 'child']])
  })

  test('must not wait, when it has a name', async () => {
    const child = { name: 'child', inject: ['never'], apply: () => undefined }
    const { text } = await failure('- { id: a, name: bundle }\n', { bundle: bundle(child) })
    expect(text).toBe('F does not run:\n  - row "a" (child) waits for never')
  })

  test('is checked when the host mounts it, too', async () => {
    const child = { name: 'mine', inject: ['never'], apply: () => undefined }
    const { text, error } = await failure('[]', {}, { prepare: (ctx) => mount(ctx, child) })
    expect(text).toBe('F does not run:\n  - row "host" (mine) waits for never')
    expect(error.problems[0]).not.toHaveProperty('file')
  })
})

describe('a start that takes too long', () => {
  test('is refused after its bound, naming what has not started', async () => {
    const clock = new ManualClock()
    const never = deferred<never>()
    const importing = deferred<void>()
    const starting = deferred<void>()
    const modules = {
      slow: {
        name: 'slow',
        apply: () => {
          starting.resolve()
          return never.promise
        },
      },
      fine,
    }
    const importer = {
      import: async (name: string): Promise<unknown> => {
        if (name !== 'stuck') return modules[name as keyof typeof modules]
        importing.resolve()
        return never.promise
      },
    }
    const yaml = '- { id: a, name: slow }\n- { id: b, name: stuck }\n- { id: c, name: fine }\n'
    const result = failure(yaml, {}, { importer, clock, timeoutMs: 700 })
    await Promise.all([importing.promise, starting.promise])
    // Let the row that is fine come up.
    await new Promise((resolve) => setImmediate(resolve))
    clock.advance(700)
    // Disposal waits for the plugin that never starts, within a bound of its own.
    await new Promise((resolve) => setImmediate(resolve))
    clock.advance(10_000)
    expect((await result).text).toBe(
      'F does not run after 700 ms:\n  - row "a" (slow) is still starting\n  - row "b" (stuck) is still importing',
    )
  })

  test('also where it is the host that does not get ready', async () => {
    const clock = new ManualClock()
    const preparing = deferred<void>()
    const prepare = () => {
      preparing.resolve()
      return deferred<never>().promise
    }
    const result = failure('[]', {}, { clock, prepare })
    await preparing.promise
    clock.advance(30_000)
    expect((await result).text).toBe(
      'F does not run after 30000 ms: the host has not finished to prepare it',
    )
  })
})

describe('a file that is wrong', () => {
  test.each<[string, RegExp]>([
    ['- id: a\n  name: [x\n', /^F does not run:\n {2}- failed: F:3:1: unexpected end/],
    ['', /^F does not run:\n {2}- failed: F: expected a list of rows, got an empty file/],
    ['- { id: a, name: x }\n- { id: a, name: y }\n', /failed: F: duplicate id "a" \(x and y\)/],
    [
      '- { id: s, name: cordis:include }\n',
      /row "s" \(cordis:include\) failed: an include needs config\.path/,
    ],
    [
      '- { id: s, name: cordis:include, config: { path: !!js "1" } }\n',
      /failed: an include needs config\.path, a text: "!!js" is not evaluated/,
    ],
    [
      '- { id: s, name: cordis:include, config: { path: ./new.yml, initial: [] } }\n',
      /failed: an include here is read-only: remove config\.initial/,
    ],
    [
      '- { id: s, name: cordis:include, config: { path: ./none.yml } }\n',
      /row "s" \(cordis:include\) failed: cannot read the composition .*none\.yml: ENOENT/,
    ],
    [
      '- { id: s, name: cordis:include, config: { path: ./rows.toml } }\n',
      /row "s" \(cordis:include\) failed: extension "\.toml" not supported/,
    ],
  ])('%j', async (yaml, expected) => {
    expect((await failure(yaml, {})).text).toMatch(expected)
  })

  test('is named when an include patches it wrongly', async () => {
    const project = new Project({
      'cordis.yml': '- { id: llm, name: ./a.mjs }\n',
      'cordis.snapshot.yml': `
- id: live
  name: cordis:include
  config: { path: ./cordis.yml, patches: [{ id: lllm, disabled: true }] }
`,
      'a.mjs': teller('live'),
    })
    const said: unknown[] = []
    const error = await bootFailure(project, 'cordis.snapshot.yml', { said })
    expect(error.message.replaceAll(`${project.dir}/`, '')).toBe(
      'cordis.snapshot.yml does not run:\n  - row "live" (cordis:include) failed: ' +
        'cordis.yml, patched by cordis.snapshot.yml: patch: entry "lllm" not found, did you mean "llm"? [INVALID_PATCH]',
    )
    // The live adapter must not have run, not even for a moment.
    expect(said).toEqual([])
  })
})
