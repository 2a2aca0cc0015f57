import type { PatchOptions } from '@deepseek-ai/cordis-plugin-include'
import type { EntryOptions } from '@deepseek-ai/cordis-plugin-loader'
import { describe, expect, test } from 'vitest'
import { checkRows, mergeRows, readRows } from '../src/rows.ts'
import { Project } from './support.ts'

describe('readRows', () => {
  test('reads YAML with expressions kept as nodes', async () => {
    const project = new Project({
      'cordis.yml': '# rows\n- id: a\n  name: ./a.mjs\n  config: { key: !!js process.env.KEY }\n',
    })
    await expect(readRows(project.path('cordis.yml'))).resolves.toEqual([
      { id: 'a', name: './a.mjs', config: { key: { __jsExpr: 'process.env.KEY' } } },
    ])
  })

  test('reads JSON', async () => {
    const project = new Project({ 'cordis.json': '[{"id": "a",\n\t"name": "b"}]' })
    await expect(readRows(project.path('cordis.json'))).resolves.toEqual([{ id: 'a', name: 'b' }])
  })

  test('an empty list is a list', async () => {
    const project = new Project({ 'cordis.yml': '[]' })
    await expect(readRows(project.path('cordis.yml'))).resolves.toEqual([])
  })

  test('a syntax error names file, line and column as an editor counts them', async () => {
    const project = new Project({ 'cordis.yml': '- id: a\n  name: b\n- id: c\n  name: [d\n' })
    const error: unknown = await readRows(project.path('cordis.yml')).catch((e: unknown) => e)
    expect(error).toMatchObject({ name: 'BootError', code: 'YAML_SYNTAX' })
    expect((error as Error).message).toMatch(/cordis\.yml:5:1: unexpected end of the stream/)
    expect((error as Error).message).toContain('4 |   name: [d')
  })

  test('too deep a nesting is a syntax error as well', async () => {
    const project = new Project({ 'cordis.yml': `- ${'['.repeat(500)}` })
    await expect(readRows(project.path('cordis.yml'))).rejects.toMatchObject({
      code: 'YAML_SYNTAX',
      message: expect.stringContaining('cordis.yml:1:'),
    })
  })

  test.each([
    ['', 'an empty file'],
    ['# only a comment\n', 'an empty file'],
    ['~', 'an empty file'],
    ['id: a\nname: b\n', 'a object'],
    ['text', 'a string'],
  ])('refuses %j', async (text, came) => {
    const project = new Project({ 'cordis.yml': text })
    await expect(readRows(project.path('cordis.yml'))).rejects.toMatchObject({
      code: 'INVALID_FILE',
      message: `${project.path('cordis.yml')}: expected a list of rows, got ${came}`,
    })
  })

  test('names a file that is not there', async () => {
    const project = new Project({})
    await expect(readRows(project.path('no.yml'))).rejects.toMatchObject({
      code: 'INVALID_FILE',
      message: expect.stringContaining(
        `cannot read the composition ${project.path('no.yml')}: ENOENT`,
      ),
    })
  })
})

const problemsOf = (rows: unknown[]): string => {
  try {
    checkRows(rows, 'F')
    return 'none'
  } catch (error) {
    expect(error).toMatchObject({ code: 'INVALID_ROWS' })
    return (error as Error).message
  }
}

describe('checkRows', () => {
  test('knows the ids of all rows, those in groups too', () => {
    const group = { id: 'g', name: 'cordis:group', group: true, config: [{ id: 'b', name: 'x' }] }
    expect([...checkRows([{ id: 'a', name: 'x' }, group, { name: 'y' }], 'F')]).toEqual([
      'a',
      'g',
      'b',
    ])
  })

  test('allows every key that cordis knows', () => {
    const row = {
      id: 'a',
      name: 'x',
      config: {},
      disabled: true,
      inject: [],
      intercept: {},
      isolate: {},
    }
    expect(problemsOf([row])).toBe('none')
  })

  test.each<[unknown[], string]>([
    [['text'], 'F: row 1 is not a mapping'],
    [[null], 'F: row 1 is not a mapping'],
    [[{ name: 'x' }, ['y']], 'F: row 2 is not a mapping'],
    [[{ id: 'a' }], 'F: row "a" needs a "name": the plugin to mount'],
    [[{ name: '' }], 'F: row 1 needs a "name": the plugin to mount'],
    [[{ id: 7, name: 'x' }], 'F: row 1 has an invalid id: expected text without ":"'],
    [[{ id: '', name: 'x' }], 'F: row "" has an invalid id: expected text without ":"'],
    [[{ id: 'a:b', name: 'x' }], 'F: row "a:b" has an invalid id: expected text without ":"'],
    [
      [{ id: 'a', name: 'x', disable: true }],
      'F: row "a" has an unknown key "disable", did you mean "disabled"?',
    ],
    [
      [
        { id: 'a', name: 'x' },
        { id: 'a', name: 'y' },
      ],
      'F: duplicate id "a" (x and y): cordis would keep only one of them',
    ],
    [
      [
        { id: 'a', name: 'x' },
        { id: 'g', name: 'cordis:group', group: true, config: [{ id: 'a', name: 'y' }] },
      ],
      'F: duplicate id "a" (x and y): cordis would keep only one of them',
    ],
    [
      [{ id: 'g', name: 'cordis:group', config: [] }],
      'F: row "g" needs "group: true", or patches cannot reach its rows',
    ],
    [
      [{ id: 'g', name: 'cordis:group', group: true }],
      'F: row "g" is a group: its config must be a list of rows',
    ],
    [
      [{ id: 'g', name: 'cordis:group', group: true, config: [{ id: 'a' }, 1] }],
      'F: row "a" needs a "name": the plugin to mount; row "g", row 2 is not a mapping',
    ],
  ])('%j', (rows, expected) => {
    expect(problemsOf(rows)).toBe(expected)
  })
})

const rows = (): EntryOptions[] => [
  { id: 'llm', name: 'live' },
  { id: 'acp', name: 'acp', config: { a: 1 } },
  { id: 'tools', name: 'cordis:group', group: true, config: [{ id: 'bash', name: 'bash' }] },
]

const merge = (patches: unknown): EntryOptions[] =>
  mergeRows(rows(), patches as PatchOptions[] | undefined, 'F', 'G')

const refusal = (patches: unknown): { code: string; message: string } => {
  try {
    merge(patches)
  } catch (error) {
    return error as { code: string; message: string }
  }
  throw new Error('it was not refused')
}

describe('mergeRows', () => {
  test.each([undefined, []])('without patches (%j) the rows stay', (patches) => {
    expect(merge(patches)).toEqual(rows())
  })

  test('disables, changes and inserts, in order, and leaves the rows given to it alone', () => {
    const before = rows()
    const merged = mergeRows(
      before,
      [
        { id: 'llm', disabled: true },
        { id: 'acp', config: { b: 2 } },
        { insert: [{ id: 'replay', name: 'replay' }] },
        { id: 'tools', insert: [{ id: 'fs', name: 'fs' }] },
        { id: 'fs', config: { root: '.' } },
        { id: 'bash', disabled: true },
      ],
      'F',
      'G',
    )
    expect(merged).toEqual([
      { id: 'llm', name: 'live', disabled: true },
      { id: 'acp', name: 'acp', config: { b: 2 } },
      {
        id: 'tools',
        name: 'cordis:group',
        group: true,
        config: [
          { id: 'bash', name: 'bash', disabled: true },
          { id: 'fs', name: 'fs', config: { root: '.' } },
        ],
      },
      { id: 'replay', name: 'replay' },
    ])
    expect(before).toEqual(rows())
  })

  test.each<[unknown, string]>([
    [[{ id: 'lllm', disabled: true }], 'patch: entry "lllm" not found, did you mean "llm"?'],
    [
      [{ insert: [{ id: 'replay', name: 'r' }] }, { id: 'reply', disabled: true }],
      'patch: entry "reply" not found, did you mean "replay"?',
    ],
    [
      [{ id: 'tolls', insert: [{ id: 'x', name: 'x' }] }],
      'patch insert: entry "tolls" not found, did you mean "tools"?',
    ],
    [[{ id: 'acp', insert: [{ id: 'x', name: 'x' }] }], 'patch insert: entry "acp" is not a group'],
    [
      [{ id: 'llm', name: 'other', disabled: true }],
      'patch: name mismatch for "llm" (expected "live", got "other"), skipping',
    ],
    [[{ disabled: true }], 'patch: id is required for non-insert patches'],
    [
      [{ id: 'llm', disable: true }],
      'patch 1 has an unknown key "disable", did you mean "disabled"?',
    ],
    [[{ id: 'llm', disabled: true }, 'x'], 'patch 2 is not a mapping'],
    [{ id: 'llm' }, 'expected a list'],
    [
      [
        { id: 'a', disabled: true },
        { id: 'b', disabled: true },
      ],
      'patch: entry "a" not found; patch: entry "b" not found',
    ],
  ])('refuses %j', (patches, expected) => {
    expect(refusal(patches)).toMatchObject({
      code: 'INVALID_PATCH',
      message: `F, patched by G: ${expected}`,
    })
  })

  test('an inserted row with an id that is taken is a duplicate, named with both files', () => {
    expect(refusal([{ insert: [{ id: 'llm', name: 'replay' }] }])).toMatchObject({
      code: 'INVALID_ROWS',
      message:
        'F, patched by G: duplicate id "llm" (live and replay): cordis would keep only one of them',
    })
  })

  test('rows that are wrong on their own are not blamed on the patches', () => {
    expect(() => mergeRows([{ id: 'a' } as EntryOptions], [], 'F', 'G')).toThrow(
      /^F: row "a" needs/,
    )
  })
})
