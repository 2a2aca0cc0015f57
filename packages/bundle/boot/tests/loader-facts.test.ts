import { Context } from '@deepseek-ai/cordis'
import { Include } from '@deepseek-ai/cordis-plugin-include'
import { Loader, type ModuleLoader } from '@deepseek-ai/cordis-plugin-loader'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { describeMessage } from '../src/describe.ts'
import { boot, memory, Project } from './support.ts'

// What we rely on in cordis, its loader and its include, or work round. These versions are pinned:
// a test that fails here after an update says which of our parts has to change.

/** A composition mounted by cordis alone, without our checks. */
async function bare(project: Project, modules: Record<string, unknown>): Promise<Context> {
  const ctx = new Context()
  await ctx.plugin(Loader, { baseUrl: `file://${project.dir}/` })
  onTestFinished(() => ctx.fiber.dispose())
  ctx.loader.internal = memory(modules) as unknown as ModuleLoader
  ctx.loader.builtins.include = Include
  await ctx.loader.create({ name: 'cordis:include', config: { path: './cordis.yml' } })
  await ctx.loader.await()
  return ctx
}

const quitter = {
  name: 'quitter',
  apply: (ctx: Context) => void setImmediate(() => void ctx.fiber.dispose()),
}

async function settle(ctx: Context): Promise<void> {
  // The include writes in a timer of its own; disposal flushes it.
  await new Promise((resolve) => setImmediate(resolve))
  await new Promise((resolve) => setImmediate(resolve))
  await ctx.fiber.dispose()
}

describe('files', () => {
  const yaml = '# a comment\n- { id: q, name: quitter }\n'

  test("cordis rewrites the user's file when a plugin disposes itself", async () => {
    const project = new Project({ 'cordis.yml': yaml })
    await settle(await bare(project, { quitter }))
    expect(project.read('cordis.yml')).toBe('- id: q\n  name: quitter\n  disabled: true\n')
  })

  test('our read-only include does not', async () => {
    const project = new Project({ 'cordis.yml': yaml })
    const { ctx } = await boot(project, 'cordis.yml', { importer: memory({ quitter }) })
    await settle(ctx)
    expect(project.read('cordis.yml')).toBe(yaml)
  })

  test('a plugin that disposes itself while it starts has switched its row off: no error', async () => {
    const project = new Project({ 'cordis.yml': yaml })
    const once = { name: 'once', apply: (ctx: Context) => void ctx.fiber.dispose() }
    const { ctx } = await boot(project, 'cordis.yml', { importer: memory({ quitter: once }) })
    expect(ctx.loader.resolve('composition:q').disabled).toBe(true)
    expect(project.read('cordis.yml')).toBe(yaml)
  })
})

describe('errors', () => {
  test('cordis swallows them into the log buffer', async () => {
    const project = new Project({
      'cordis.yml': '- { id: a, name: bad }\n- { id: b, name: gone }\n',
    })
    const apply = () => {
      throw new Error('broken')
    }
    const ctx = await bare(project, { bad: { name: 'bad', apply } })
    const texts = ctx.logger.buffer.filter(({ type }) => type === 'error').map(describeMessage)
    expect(texts.sort()).toEqual(['broken', 'no module gone'])
  })

  test('cordis skips a patch that names an unknown id, and the row stays on', async () => {
    const project = new Project({
      'cordis.yml': `- { id: s, name: cordis:include, config: { path: ./rows.yml, patches: [{ id: lm, disabled: true }] } }\n`,
      'rows.yml': '- { id: llm, name: live }\n',
    })
    let ran = false
    await bare(project, { live: { apply: () => void (ran = true) } })
    expect(ran).toBe(true)
  })

  test('cordis keeps one of two rows with the same id', async () => {
    const project = new Project({
      'cordis.yml': '- { id: a, name: one }\n- { id: a, name: two }\n',
    })
    const ran: string[] = []
    const plugin = (name: string) => ({ name, apply: () => void ran.push(name) })
    await bare(project, { one: plugin('one'), two: plugin('two') })
    expect(ran).toEqual(['two'])
  })

  test('the log buffer holds errors and infos, not warnings', () => {
    const ctx = new Context()
    for (const type of ['error', 'warn', 'info', 'debug'] as const) ctx.logger[type](type)
    expect(ctx.logger.buffer.map(({ type }) => type)).toEqual(['error', 'info'])
  })
})

describe('config', () => {
  interface Config {
    file?: string
    depth: number
  }
  const Config: z.ZodType<Config> = z
    .strictObject({
      file: z.string().exactOptional(),
      depth: z.number().default(3),
    } satisfies Record<keyof Config, z.ZodType>)
    .prefault({})

  const seenBy = async (yaml: string): Promise<unknown> => {
    let seen: unknown
    const a = { name: 'a', Config, apply: (_ctx: Context, config: Config) => void (seen = config) }
    await boot(new Project({ 'cordis.yml': yaml }), 'cordis.yml', { importer: memory({ a }) })
    return seen
  }

  test('zod serves as Config, and prefault where a row has none', async () => {
    expect(await seenBy('- { id: a, name: a, config: { file: x } }')).toEqual({
      file: 'x',
      depth: 3,
    })
    expect(await seenBy('- { id: a, name: a }')).toEqual({ depth: 3 })
  })

  test('an unset variable does not make an exact schema fail', async () => {
    expect(
      await seenBy('- { id: a, name: a, config: { file: !!js process.env.DSH_UNSET } }'),
    ).toEqual({
      depth: 3,
    })
  })

  test('a row without config passes undefined', async () => {
    const seen: unknown[] = []
    const a = { name: 'a', apply: (...args: unknown[]) => void seen.push(args[1]) }
    await boot(new Project({ 'cordis.yml': '- { id: a, name: a }' }), 'cordis.yml', {
      importer: memory({ a }),
    })
    expect(seen).toEqual([undefined])
  })
})

describe('waterfalls', () => {
  type Listener = (request: object, next: () => unknown) => unknown
  interface Bus {
    on(name: string, listener: Listener, options?: { prepend: boolean }): () => unknown
    waterfall(name: string, ...args: unknown[]): unknown
  }
  const bus = (): Bus => new Context()

  test('run in order of registration, prepended ones first, around the last argument', () => {
    const on = bus()
    const order: string[] = []
    const step =
      (name: string): Listener =>
      (_request, next) => {
        order.push(name)
        return `${name}(${String(next())})`
      }
    on.on('x', step('a'))
    on.on('x', step('b'))
    on.on('x', step('first'), { prepend: true })
    expect(on.waterfall('x', {}, () => 'end')).toBe('first(a(b(end)))')
    expect(order).toEqual(['first', 'a', 'b'])
  })

  test('stop where a listener does not call next', () => {
    const on = bus()
    on.on('x', () => 'mine')
    on.on('x', () => expect.unreachable())
    expect(on.waterfall('x', {}, () => expect.unreachable())).toBe('mine')
  })

  test('go on with the next listener on a second next, which takes no arguments', () => {
    const on = bus()
    const seen: unknown[] = []
    on.on('x', (_request, next) => [(next as (arg: unknown) => unknown)('changed'), next()])
    on.on('x', (request) => {
      seen.push(request)
      return 'b'
    })
    const request = {}
    expect(on.waterfall('x', request, () => 'end')).toEqual(['b', 'end'])
    expect(seen).toEqual([request])
    expect(seen[0]).toBe(request)
  })

  test('take an object before the name as this', () => {
    const on = bus()
    const self = { me: true, [Context.filter]: () => true }
    on.on('x', function (this: unknown) {
      return this
    })
    expect(
      (on.waterfall as unknown as (...args: unknown[]) => unknown)(self, 'x', {}, () => 'end'),
    ).toBe(self)
  })

  test('a disposer may be called twice', () => {
    const on = bus()
    const off = on.on('x', () => 'mine')
    off()
    off()
    expect(on.waterfall('x', {}, () => 'end')).toBe('end')
  })
})
