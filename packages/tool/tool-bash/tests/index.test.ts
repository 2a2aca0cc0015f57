import { execFileSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { Context } from '@deepseek-ai/cordis'
import * as tools from 'dsh-tools'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { contextIn, ManualClock, tempDir, textOf } from './support.ts'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.resetModules()
})

/** The plugin in a process, as far as it can tell, that has not run a command yet. */
async function mounted(config?: object) {
  const plugin = await import('../src/index.ts')
  const ctx = new Context()
  onTestFinished(() => ctx.fiber.dispose())
  await ctx.plugin(tools)
  await ctx.plugin(plugin, config as never)
  const run = async (command: string): Promise<string> => {
    const context = contextIn('/', new AbortController().signal, new ManualClock())
    const request = { name: 'bash', arguments: JSON.stringify({ command, description: 'd' }) }
    return textOf(await ctx.tools.execute(request, context))
  }
  return { ctx, plugin, run }
}

test('the plugin offers one tool', async () => {
  const { ctx, plugin } = await mounted()
  expect(plugin.name).toBe('tool-bash')
  expect(plugin.inject).toEqual(['tools'])
  expect(plugin).not.toHaveProperty('default')
  expect(ctx.tools.schemas().map(({ name }) => name)).toEqual(['bash'])
})

test('in replay a command sees nothing of the agent, and the run id', async () => {
  vi.stubEnv('DSH_SNAPSHOT', 'replay')
  vi.stubEnv('DSH_SNAPSHOT_REPORT', '/r')
  vi.stubEnv('DSH_SNAPSHOT_RUN', 'run-1')
  vi.stubEnv('DEEPSEEK_API_KEY', 's')
  vi.stubEnv('ANYTHING', 'x')
  vi.stubEnv('HOME', '/')
  const { run } = await mounted()
  const names = (await run('env')).split('\n').map((line) => line.split('=')[0])
  expect(names.filter((name) => name !== '').sort()).toEqual(
    ['DSH_SNAPSHOT_RUN', 'HOME', 'LC_ALL', 'PATH', 'PWD', 'SHLVL', 'TZ', '_'].sort(),
  )
})

test('where commands cannot be kept off the network, the plugin says so once', async () => {
  const bin = tempDir()
  const bash = execFileSync('bash', ['-c', 'type -P bash']).toString().trim()
  symlinkSync(bash, join(bin, 'bash'))
  vi.stubEnv('PATH', bin)
  const { ctx, run } = await mounted({ network: 'none' })
  const messages: unknown[] = []
  ctx.logger.exporter({
    levels: { default: 3 },
    export: ({ type, name, args }) => void messages.push([type, name, ...args]),
  })
  expect(await run('echo 1')).toBe('1\n')
  expect(await run('echo 2')).toBe('2\n')
  expect(messages).toEqual([
    [
      'warn',
      'tool-bash',
      'commands keep their network: this system does not let unshare make a network namespace',
    ],
  ])
})
