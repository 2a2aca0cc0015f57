import type { Context } from '@deepseek-ai/cordis'
import { expect, test } from 'vitest'
import { boot, memory, Project } from './support.ts'

const yaml = `# kept
- { id: sub, name: cordis:include, config: { path: ./rows.yml, patches: [{ id: a, config: { n: 1 } }] } }
`

test('a change to an include row patches its rows anew, and is not written', async () => {
  const project = new Project({
    'cordis.yml': yaml,
    'rows.yml': '- { id: a, name: a } # kept too\n',
  })
  const seen: unknown[] = []
  const a = { name: 'a', apply: (_ctx: Context, config: unknown) => void seen.push(config) }
  const { ctx } = await boot(project, 'cordis.yml', { importer: memory({ a }) })
  await ctx.loader.update('composition:sub', {
    config: { path: './rows.yml', patches: [{ id: 'a', config: { n: 2 } }] },
  })
  await ctx.loader.await()
  expect(seen).toEqual([{ n: 1 }, { n: 2 }])
  expect(project.read('cordis.yml')).toBe(yaml)
  expect(project.read('rows.yml')).toBe('- { id: a, name: a } # kept too\n')
})
