import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { moduleImporter, nodeImporter } from '../src/index.ts'
import { Project } from './support.ts'

const base = (project: Project, folder = ''): string =>
  pathToFileURL(`${project.path(folder)}/`).href

const pack = (name: string, exports: unknown): Record<string, string> => ({
  [`node_modules/${name}/package.json`]: JSON.stringify({ name, type: 'module', exports }),
  [`node_modules/${name}/index.js`]: `export const name = '${name}'`,
})

describe('nodeImporter', () => {
  test('takes relative and absolute names and URLs as files', async () => {
    const project = new Project({
      'a/p.mjs': 'export const at = "a"',
      'p.mjs': 'export const at = "top"',
    })
    const importer = nodeImporter()
    await expect(importer.import('./p.mjs', base(project, 'a'))).resolves.toHaveProperty('at', 'a')
    await expect(importer.import('../p.mjs', base(project, 'a'))).resolves.toHaveProperty(
      'at',
      'top',
    )
    await expect(
      importer.import(project.path('p.mjs'), base(project, 'a')),
    ).resolves.toHaveProperty('at', 'top')
    const url = pathToFileURL(project.path('p.mjs')).href
    await expect(importer.import(url, base(project, 'a'))).resolves.toHaveProperty('at', 'top')
  })

  test('finds packages from the folder of the YAML file, by the condition default', async () => {
    const project = new Project(pack('plug', { '.': { default: './index.js' } }))
    const inner = new Project(pack('plug', { '.': './index.js' }))
    inner.write('node_modules/plug/index.js', 'export const name = "inner"')
    const importer = nodeImporter()
    await expect(importer.import('plug', base(project))).resolves.toHaveProperty('name', 'plug')
    await expect(importer.import('plug', base(inner))).resolves.toHaveProperty('name', 'inner')
    await expect(importer.import('plug', base(project))).resolves.toHaveProperty('name', 'plug')
  })

  test('knows the modules of Node', async () => {
    const importer = nodeImporter()
    const project = new Project({})
    await expect(importer.import('node:path', base(project))).resolves.toHaveProperty('join')
    await expect(importer.import('path', base(project))).resolves.toHaveProperty('join')
  })

  test('rejects, and does not throw, for what is not there', async () => {
    const importer = nodeImporter()
    await expect(importer.import('nothing-here', base(new Project({})))).rejects.toMatchObject({
      code: 'MODULE_NOT_FOUND',
    })
  })
})

describe('moduleImporter', () => {
  test('answers from memory first', async () => {
    const mine = { apply: () => undefined }
    const asked: unknown[] = []
    const importer = moduleImporter(
      { plug: mine },
      { import: async (name, baseUrl) => asked.push([name, baseUrl]) },
    )
    await expect(importer.import('plug', 'file:///x/')).resolves.toBe(mine)
    await importer.import('toString', 'file:///x/')
    expect(asked).toEqual([['toString', 'file:///x/']])
  })

  test('falls back to Node', async () => {
    await expect(moduleImporter({}).import('node:path', 'file:///')).resolves.toHaveProperty('join')
  })
})
