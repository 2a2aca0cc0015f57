import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Context } from '@deepseek-ai/cordis'
import * as tools from 'dsh-tools'
import { expect, onTestFinished, test } from 'vitest'
import * as plugin from '../src/index.ts'
import { contextIn, tempDir } from './support.ts'

async function mounted(config: plugin.Config | undefined): Promise<Context> {
  const ctx = new Context()
  onTestFinished(() => ctx.fiber.dispose())
  await ctx.plugin(tools)
  await ctx.plugin(plugin, config as plugin.Config)
  return ctx
}

test('the plugin offers three tools', async () => {
  expect(plugin.name).toBe('tool-fs')
  expect(plugin.inject).toEqual(['tools'])
  expect(plugin).not.toHaveProperty('default')
  const ctx = await mounted(undefined)
  expect(ctx.tools.schemas().map(({ name }) => name)).toEqual(['edit', 'read', 'write'])
})

test('they share what has been seen, and results have the recorded shape', async () => {
  const ctx = await mounted({})
  const cwd = tempDir()
  const context = contextIn(cwd)
  writeFileSync(join(cwd, 'a'), 'x\n')
  const edit = {
    name: 'edit',
    arguments: '{"file_path": "a", "old_string": "x", "new_string": "y"}',
  }
  expect(JSON.stringify(await ctx.tools.execute(edit, context))).toBe(
    JSON.stringify({
      content: [{ type: 'text', text: `Error: edit requires reading "${cwd}/a" first` }],
      isError: true,
      error: { name: 'FsError', code: 'FS_NOT_OBSERVED' },
    }),
  )
  await ctx.tools.execute({ name: 'read', arguments: '{"file_path": "a"}' }, context)
  expect((await ctx.tools.execute(edit, context)).isError).toBeUndefined()
})

test('the configuration reaches them', async () => {
  const ctx = await mounted({ allowOutsideCwd: true })
  const other = tempDir()
  const request = {
    name: 'write',
    arguments: JSON.stringify({ file_path: join(other, 'a'), content: 'x' }),
  }
  expect((await ctx.tools.execute(request, contextIn(tempDir()))).isError).toBeUndefined()
})
