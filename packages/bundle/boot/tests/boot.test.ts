import { pathToFileURL } from 'node:url'
import type { Context } from '@deepseek-ai/cordis'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { BootError, bootComposition } from '../src/index.ts'
import {
  boot,
  bootFailure,
  deferred,
  ManualClock,
  memory,
  mount,
  Project,
  sorted,
  teller,
} from './support.ts'

interface Probe {
  probe: unknown[]
}

describe('a composition that loads', () => {
  test('mounts every row, and nothing that is disabled', async () => {
    const project = new Project({
      'cordis.yml': `
- { id: a, name: ./a.mjs, config: { n: 1 } }
- { id: b, name: ./b.mjs, disabled: true }
- { id: c, name: ./nowhere.mjs, disabled: true }
- name: ./a.mjs
`,
      'a.mjs': teller('a'),
      'b.mjs': teller('b'),
    })
    const { said, lines } = await boot(project, 'cordis.yml')
    expect(sorted(said)).toEqual([
      ['a', undefined],
      ['a', { n: 1 }],
    ])
    expect(lines).toEqual([])
  })

  test.each<[string, (path: string) => URL | string]>([
    ['a path', (path) => path],
    ['a file URL', (path) => pathToFileURL(path)],
    ['the text of a file URL', (path) => pathToFileURL(path).href],
  ])('is named by %s', async (_what, name) => {
    const project = new Project({
      'sub/cordis.yml': '- name: ./a.mjs\n',
      'sub/a.mjs': teller('a'),
    })
    const said: unknown[] = []
    const composition = await bootComposition({
      config: name(project.path('sub/cordis.yml')),
      prepare: (ctx) => {
        ctx.provide('probe', said)
      },
    })
    await composition.dispose()
    expect(said).toEqual([['a', undefined]])
  })

  test('the snapshot file includes the live one, switches the model off and another on', async () => {
    const project = new Project({
      'cordis.yml':
        '- { id: llm, name: ./live.mjs }\n- { id: acp, name: ./acp.mjs, config: { a: 1 } }\n',
      'cordis.snapshot.yml': `
- id: live
  name: cordis:include
  config:
    path: ./cordis.yml
    patches:
      - { id: llm, disabled: true }
      - { id: acp, config: { a: 2 } }
      - insert:
          - { id: replay, name: ./replay.mjs, config: { file: !!js "'x' + 1" } }
`,
      'live.mjs': teller('live'),
      'acp.mjs': teller('acp'),
      'replay.mjs': teller('replay'),
    })
    const { said } = await boot(project, 'cordis.snapshot.yml')
    expect(sorted(said)).toEqual([
      ['acp', { a: 2 }],
      ['replay', { file: 'x1' }],
    ])
  })

  test('patches can come from the caller too', async () => {
    const project = new Project({
      'cordis.yml': '- { id: a, name: ./a.mjs }\n',
      'a.mjs': teller('a'),
    })
    const patches = [{ id: 'a', config: { n: 3 } }]
    const { said } = await boot(project, 'cordis.yml', { patches })
    expect(said).toEqual([['a', { n: 3 }]])
    await expect(boot(project, 'cordis.yml', { patches: [{ id: 'b' }] })).rejects.toThrow(
      `${project.path('cordis.yml')}, patched by the caller: patch: entry "b" not found`,
    )
  })

  test('resolves names in an included file from that file', async () => {
    const project = new Project({
      'cordis.yml': '- { id: sub, name: cordis:include, config: { path: ./sub/rows.yml } }\n',
      'sub/rows.yml': '- { id: a, name: ./a.mjs }\n',
      'sub/a.mjs': teller('inner'),
    })
    expect((await boot(project, 'cordis.yml')).said).toEqual([['inner', undefined]])
  })

  test('mounts groups, and none of the rows of a disabled one', async () => {
    const project = new Project({
      'cordis.yml': `
- { id: on, name: cordis:group, group: true, config: [{ id: a, name: ./a.mjs }] }
- { id: off, name: cordis:group, group: true, disabled: true, config: [{ id: b, name: ./b.mjs }] }
`,
      'a.mjs': teller('a'),
      'b.mjs': teller('b'),
    })
    expect((await boot(project, 'cordis.yml')).said).toEqual([['a', undefined]])
  })

  test('evaluates expressions in config and disabled', async () => {
    const project = new Project({
      'cordis.yml': `
- { id: a, name: ./a.mjs, config: { deep: [{ n: !!js 1 + 1 }] } }
- { id: b, name: ./b.mjs, disabled: !!js "1 > 0" }
- { id: c, name: ./c.mjs, disabled: !!js "1 < 0" }
`,
      'a.mjs': teller('a'),
      'b.mjs': teller('b'),
      'c.mjs': teller('c'),
    })
    expect(sorted((await boot(project, 'cordis.yml')).said)).toEqual([
      ['a', { deep: [{ n: 2 }] }],
      ['c', undefined],
    ])
  })

  test('an unset variable is an absent key to the schema; a plugin passes on what it likes', async () => {
    const project = new Project({
      'cordis.yml':
        '- { id: a, name: a, config: { key: !!js process.env.DSH_BOOT_UNSET, n: 1 } }\n',
    })
    const seen: unknown[] = []
    const child = {
      name: 'child',
      apply: (_ctx: Context, config: object) => void seen.push(Object.keys(config)),
    }
    const a = {
      Config: z.custom<object>((config) => seen.push(Object.keys(config as object))),
      apply: (ctx: Context) => mount(ctx, child, { kept: undefined }),
    }
    await boot(project, 'cordis.yml', { importer: memory({ a }) })
    expect(seen).toEqual([['n'], ['kept']])
  })

  test('waits for rows that wait for each other, in whatever order they stand', async () => {
    const project = new Project({
      'cordis.yml': '- { id: user, name: user }\n- { id: maker, name: maker }\n',
    })
    const gate = deferred<void>()
    const maker = {
      name: 'maker',
      apply: async (ctx: Context) => {
        await gate.promise
        ctx.provide('made', 7)
      },
    }
    const user = {
      name: 'user',
      inject: ['made', 'probe'],
      apply: (ctx: Context & Probe & { made: number }) => void ctx.probe.push(ctx.made),
    }
    const booting = boot(project, 'cordis.yml', { importer: memory({ maker, user }) })
    gate.resolve()
    expect((await booting).said).toEqual([7])
  })

  test('waits for what a row mounts in code', async () => {
    const project = new Project({ 'cordis.yml': '- { id: bundle, name: bundle }\n' })
    const gate = deferred<void>()
    let started = false
    const child = {
      name: 'child',
      apply: async () => {
        await gate.promise
        started = true
      },
    }
    const bundle = {
      name: 'bundle',
      apply: (ctx: Context) => {
        ctx.plugin(child)
        queueMicrotask(() => setImmediate(() => gate.resolve()))
      },
    }
    await boot(project, 'cordis.yml', { importer: memory({ bundle }) })
    expect(started).toBe(true)
  })

  test('an optional dependency may be missing for ever', async () => {
    const project = new Project({ 'cordis.yml': '- { id: a, name: a }\n' })
    const a = { name: 'a', apply: (ctx: Context) => void ctx.inject(['never'], () => undefined) }
    await expect(boot(project, 'cordis.yml', { importer: memory({ a }) })).resolves.toBeDefined()
  })

  test('an empty composition is one', async () => {
    await expect(boot(new Project({ 'cordis.yml': '[]' }), 'cordis.yml')).resolves.toBeDefined()
  })
})

describe('prepare', () => {
  test('is awaited before any row is imported', async () => {
    const project = new Project({ 'cordis.yml': '- { id: a, name: a }\n' })
    const order: string[] = []
    const importer = {
      import: async () => {
        order.push('import')
        return { apply: () => undefined }
      },
    }
    const prepare = async () => {
      await Promise.resolve()
      order.push('prepared')
    }
    await boot(project, 'cordis.yml', { importer, prepare })
    expect(order).toEqual(['prepared', 'import'])
  })

  test('its rejection ends the boot as it is', async () => {
    const project = new Project({ 'cordis.yml': '[]' })
    const broken = new Error('no streams')
    const prepare = () => Promise.reject(broken)
    await expect(boot(project, 'cordis.yml', { prepare })).rejects.toBe(broken)
  })
})

describe('log lines', () => {
  const noisy = (at: string) => `export const name = 'noisy'
export const inject = ['probe']
export const apply = (ctx) => {
  ctx.logger.warn('${at} %s', 'boot')
  ctx.probe.push(() => ctx.logger.error(new Error('${at}\\nlater')))
}
`
  const files = { 'cordis.yml': '- { id: n, name: ./n.mjs }\n', 'n.mjs': noisy('at') }

  test('of the boot are written after it, later ones at once', async () => {
    const { said, lines } = await boot(new Project(files), 'cordis.yml')
    expect(lines).toEqual(['warn noisy: at boot\n'])
    ;(said[0] as () => void)()
    expect(lines).toEqual(['warn noisy: at boot\n', 'error noisy: at\\nlater\n'])
  })

  test('are as many as the level asks for', async () => {
    const { said, lines } = await boot(new Project(files), 'cordis.yml', { level: 'error' })
    ;(said[0] as () => void)()
    expect(lines).toEqual(['error noisy: at\\nlater\n'])
  })

  test('are not written for a boot that fails: the error has them', async () => {
    const project = new Project({
      ...files,
      'cordis.yml': `${files['cordis.yml']}- { id: x, name: ./x.mjs }\n`,
    })
    const lines: string[] = []
    const error = await bootFailure(project, 'cordis.yml', { lines })
    expect(error.code).toBe('NOT_LOADED')
    expect(lines).toEqual([])
  })
})

describe('dispose', () => {
  const withCleanUp = (cleanUp: () => void | Promise<void>) => ({
    project: new Project({ 'cordis.yml': '- { id: a, name: a }\n' }),
    importer: memory({ a: { name: 'a', apply: (ctx: Context) => void ctx.effect(() => cleanUp) } }),
  })

  test('waits for clean-up, once, however often it is called', async () => {
    const gate = deferred<void>()
    let runs = 0
    const { project, importer } = withCleanUp(() => {
      runs += 1
      return gate.promise
    })
    const { dispose } = await boot(project, 'cordis.yml', { importer })
    let ended = false
    const first = dispose().finally(() => {
      ended = true
    })
    const second = dispose()
    await new Promise((resolve) => setImmediate(resolve))
    expect({ runs, ended }).toEqual({ runs: 1, ended: false })
    gate.resolve()
    await Promise.all([first, second, dispose()])
    expect({ runs, ended }).toEqual({ runs: 1, ended: true })
  })

  test('logs a clean-up that throws and goes on', async () => {
    const { project, importer } = withCleanUp(() => {
      throw new Error('stuck')
    })
    const { dispose, lines } = await boot(project, 'cordis.yml', { importer })
    await dispose()
    expect(lines).toEqual(['error a: stuck\n'])
  })

  test('gives up after its bound and names what is still there', async () => {
    const gate = deferred<void>()
    const { project, importer } = withCleanUp(() => gate.promise)
    const clock = new ManualClock()
    const composition = await bootComposition({
      config: project.path('cordis.yml'),
      importer,
      clock,
      disposeTimeoutMs: 500,
    })
    const result = composition.dispose()
    clock.advance(500)
    await expect(result).rejects.toMatchObject({
      code: 'DISPOSE_TIMEOUT',
      message: expect.stringMatching(/clean-up took longer than 500 ms; still there: .*\ba\b/),
    })
    await expect(composition.dispose()).rejects.toBeInstanceOf(BootError)
    gate.resolve()
  })

  test('a failed boot disposes what it had mounted, and leaves no timer', async () => {
    const project = new Project({ 'cordis.yml': '- { id: a, name: a }\n- { id: b, name: b }\n' })
    let cleaned = 0
    const a = { name: 'a', apply: (ctx: Context) => void ctx.effect(() => () => void cleaned++) }
    const clock = new ManualClock()
    const error = await bootFailure(project, 'cordis.yml', { importer: memory({ a }), clock })
    expect(error.problems.map((problem) => problem.id)).toEqual(['b'])
    expect(cleaned).toBe(1)
    expect(clock.pending).toBe(0)
  })

  test('a clean-up that hangs does not hide why the boot failed', async () => {
    const project = new Project({ 'cordis.yml': '- { id: a, name: a }\n- { id: b, name: b }\n' })
    const gate = deferred<void>()
    const clock = new ManualClock()
    const a = {
      name: 'a',
      apply: (ctx: Context) =>
        void ctx.effect(() => () => {
          clock.advance(10_000)
          return gate.promise
        }),
    }
    const error = await bootFailure(project, 'cordis.yml', { importer: memory({ a }), clock })
    expect(error.code).toBe('NOT_LOADED')
    gate.resolve()
  })
})
