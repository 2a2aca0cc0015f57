import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { trackedFiles } from '../tidy/repo.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const paths = [...trackedFiles(root).keys()]
/** Names of sources, in full or by their end, as documents give them. */
const named = (text: string) =>
  [...text.matchAll(/`(\w[\w./-]*\.ts)`/g)].flatMap(([, name]) => name ?? [])

it.each(['docs/how-to.md', 'docs/architecture.md', 'AGENTS.md'])(
  '%s names no source that is not there',
  (document) => {
    const names = named(readFileSync(join(root, document), 'utf8'))
    expect(names.filter((name) => !paths.some((path) => `/${path}`.endsWith(`/${name}`)))).toEqual(
      [],
    )
  },
)

it('sees the names', () => {
  expect(named('`a/b.ts` and `c.ts`, `d.json`, e.ts')).toEqual(['a/b.ts', 'c.ts'])
  expect(named(readFileSync(join(root, 'docs/how-to.md'), 'utf8')).length).toBeGreaterThan(20)
})

it('the how-to names every source that names an event', () => {
  const text = readFileSync(join(root, 'docs/how-to.md'), 'utf8')
  const [, section = ''] = text.split('\n## A log event\n')
  const told = new Set(named(section.split('\n## ')[0] ?? '').map((name) => basename(name)))
  const types = readFileSync(join(root, 'packages/core/session/src/types.ts'), 'utf8')
  const events = [...types.matchAll(/^ {2}'([a-z]+\/[a-z-]+)': /gm)].flatMap(
    ([, name]) => name ?? [],
  )
  expect(events).toContain('tool/call')
  const sources = paths.filter((path) => {
    if (!/^packages\/[^/]+\/[^/]+\/src\/.*\.ts$/.test(path)) return false
    const source = readFileSync(join(root, path), 'utf8')
    return events.some((event) => source.includes(`'${event}'`))
  })
  expect(sources.length).toBeGreaterThan(20)
  expect(sources.filter((path) => !told.has(basename(path)))).toEqual([])
})
