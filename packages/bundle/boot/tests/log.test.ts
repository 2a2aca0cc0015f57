import { Context } from '@deepseek-ai/cordis'
import { describe, expect, test } from 'vitest'
import { attachLog } from '../src/log.ts'
import type { LogLevel } from '../src/index.ts'

function setup(level: LogLevel) {
  const ctx = new Context()
  const lines: string[] = []
  const log = attachLog(ctx, level, { write: (text) => lines.push(text) })
  const logger = ctx.logger('part')
  const say = () => {
    logger.debug('d')
    logger.info('i')
    logger.warn('w')
    logger.error('e')
  }
  return { ctx, lines, log, logger, say }
}

describe('attachLog', () => {
  test.each<[LogLevel, string[]]>([
    ['silent', []],
    ['error', ['error part: e\n']],
    ['warn', ['warn part: w\n', 'error part: e\n']],
    ['info', ['info part: i\n', 'warn part: w\n', 'error part: e\n']],
    ['debug', ['debug part: d\n', 'info part: i\n', 'warn part: w\n', 'error part: e\n']],
  ])('level %s', (level, expected) => {
    const { lines, log, say } = setup(level)
    log.release()
    say()
    expect(lines).toEqual(expected)
  })

  test('holds messages back until it is released, then writes them in order', () => {
    const { lines, log, logger, say } = setup('warn')
    say()
    expect(lines).toEqual([])
    log.release()
    logger.warn('live')
    log.release()
    expect(lines).toEqual(['warn part: w\n', 'error part: e\n', 'warn part: live\n'])
  })

  test('holds back only so many', () => {
    const { lines, log, logger } = setup('warn')
    for (let n = 0; n <= 1000; n++) logger.warn('%d', n)
    log.release()
    expect(lines).toHaveLength(1000)
    expect(lines[0]).toBe('warn part: 1\n')
    expect(lines.at(-1)).toBe('warn part: 1000\n')
  })

  test('writes one line per message, with messages of errors', () => {
    const { lines, log, logger } = setup('warn')
    log.release()
    logger.error(new Error('two\nlines'))
    logger.warn('failed: %s', new Error('inner'))
    expect(lines).toEqual(['error part: two\\nlines\n', 'warn part: failed: inner\n'])
  })

  test('still listens while the root is disposed, and not after it is detached', async () => {
    const { ctx, lines, log, logger } = setup('error')
    log.release()
    ctx.plugin({
      name: 'late',
      apply: (child: Context) => {
        child.effect(() => () => {
          throw new Error('clean-up failed')
        })
      },
    })
    await ctx.fiber.await()
    await Promise.all(
      [...ctx.registry.values()].flatMap((r) => [...r.fibers].map((f) => f.await())),
    )
    await ctx.fiber.dispose()
    expect(lines).toEqual(['error late: clean-up failed\n'])
    log.detach()
    logger.error('unheard')
    expect(lines).toHaveLength(1)
  })
})
