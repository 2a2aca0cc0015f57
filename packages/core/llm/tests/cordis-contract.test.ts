import { Context } from '@deepseek-ai/cordis'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

// What this project relies on in cordis's waterfalls. Where a new version changes one of these, the
// replay and the recording would go wrong in ways that are hard to see.

declare module '@deepseek-ai/cordis' {
  interface Events {
    'contract/text'(input: string, next: () => string): string
    'contract/object'(this: unknown, input: object, next: () => string): string
    'contract/async'(input: string, next: () => Promise<string>): Promise<string>
  }
}

let ctx: Context
beforeEach(() => {
  ctx = new Context()
})
afterEach(async () => {
  await ctx.fiber.dispose()
})
const run = (input = 'in') => ctx.waterfall('contract/text', input, () => 'core')
const tag = (name: string) => (_: string, next: () => string) => `${name}(${next()})`

describe('order', () => {
  test('without listeners the innermost function answers', () => {
    expect(run()).toBe('core')
  })

  test('listeners run in order of registration, the first outermost', () => {
    ctx.on('contract/text', tag('a'))
    ctx.on('contract/text', tag('b'))
    ctx.on('contract/text', tag('c'))
    expect(run()).toBe('a(b(c(core)))')
  })

  test('prepend puts a listener first, the latest prepend outermost', () => {
    ctx.on('contract/text', tag('a'))
    ctx.on('contract/text', tag('b'), { prepend: true })
    ctx.on('contract/text', tag('c'), true)
    expect(run()).toBe('c(b(a(core)))')
  })

  test('a listener registered during a call takes part from the next call on', () => {
    let registered = false
    ctx.on('contract/text', (_, next) => {
      if (!registered) ctx.on('contract/text', tag('late'))
      registered = true
      return next()
    })
    expect(run()).toBe('core')
    expect(run()).toBe('late(core)')
  })
})

describe('next', () => {
  test('a listener that does not call it stops the chain, the innermost function too', () => {
    const seen: string[] = []
    ctx.on('contract/text', () => 'vetoed')
    ctx.on('contract/text', (_, next) => {
      seen.push('b')
      return next()
    })
    const result = ctx.waterfall('contract/text', 'in', () => {
      seen.push('core')
      return 'core'
    })
    expect(result).toBe('vetoed')
    expect(seen).toEqual([])
  })

  test('a second call skips onwards instead of repeating', () => {
    ctx.on('contract/text', (_, next) => `${next()}+${next()}+${next()}`)
    ctx.on('contract/text', () => 'b')
    ctx.on('contract/text', () => 'c')
    expect(run()).toBe('b+c+core')
  })

  test('takes no arguments: what is passed to it does not reach the others', () => {
    const seen: string[] = []
    ctx.on('contract/text', (_, next) => (next as (input: string) => string)('changed'))
    ctx.on('contract/text', (input, next) => {
      seen.push(input)
      return next()
    })
    run('original')
    expect(seen).toEqual(['original'])
  })

  test('is synchronous and its errors pass through the listeners', () => {
    ctx.on('contract/text', (_, next) => {
      try {
        return next()
      } catch (error) {
        return `caught ${(error as Error).message}`
      }
    })
    const result = ctx.waterfall('contract/text', 'in', () => {
      throw new Error('core broke')
    })
    expect(result).toBe('caught core broke')
  })

  test('what a listener returns is handed on as it is: a promise is not awaited', async () => {
    const promise = Promise.resolve('later')
    ctx.on('contract/async', () => promise)
    expect(ctx.waterfall('contract/async', 'in', () => Promise.resolve('core'))).toBe(promise)
    await promise
  })
})

describe('arguments', () => {
  test('a listener gets the very object that was passed after the name', () => {
    const request = { model: 'm' }
    let seen: unknown
    ctx.on('contract/object', (input, next) => {
      seen = input
      return next()
    })
    ctx.waterfall('contract/object', request, () => 'core')
    expect(seen).toBe(request)
  })

  test('an object before the name is taken as `this` and not as an argument', () => {
    const self = { iam: 'this' }
    const seen: unknown[] = []
    ctx.on('contract/object', function (input, next) {
      seen.push(this, input)
      return next()
    })
    const request = { model: 'm' }
    expect(ctx.waterfall(self as never, 'contract/object', request, () => 'core')).toBe('core')
    expect(seen).toEqual([self, request])
    expect(seen[0]).toBe(self)
  })

  test('without one, `this` is not the context', () => {
    const seen: unknown[] = []
    ctx.on('contract/object', function (_, next) {
      seen.push(this)
      return next()
    })
    ctx.waterfall('contract/object', {}, () => 'core')
    expect(seen).toEqual([null])
  })
})

describe('disposal', () => {
  test('the disposer of a listener returns nothing and may be called twice', () => {
    const dispose: () => unknown = ctx.on('contract/text', tag('a'))
    ctx.on('contract/text', tag('b'))
    expect(run()).toBe('a(b(core))')
    expect(dispose()).toBeUndefined()
    expect(run()).toBe('b(core)')
    expect(dispose()).toBeUndefined()
    expect(run()).toBe('b(core)')
  })

  test('a listener leaves with the plugin that registered it', async () => {
    const fiber = await ctx.plugin({
      apply: (inner: Context) => void inner.on('contract/text', tag('plugin')),
    })
    expect(run()).toBe('plugin(core)')
    await fiber.dispose()
    expect(run()).toBe('core')
  })

  test('the disposer of an effect runs it once, however often it is called', () => {
    let runs = 0
    const dispose: () => unknown = ctx.effect(() => () => void runs++)
    void dispose()
    void dispose()
    expect(runs).toBe(1)
  })
})
