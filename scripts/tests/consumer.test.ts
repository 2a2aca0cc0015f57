import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { consumerProblems } from '../lib/consumer.mjs'
import { tarball } from './npm-tarball.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A package whose only entry has these types. */
function packed(name: string, types: string, dependencies: readonly string[] = []): Buffer {
  return tarball({
    'package.json': JSON.stringify({
      name,
      type: 'module',
      exports: { '.': { types: './index.d.ts' }, './package.json': './package.json' },
      dependencies: Object.fromEntries(dependencies.map((needed) => [needed, '1.0.0'])),
    }),
    'index.d.ts': types,
  })
}

function problems(packages: Readonly<Record<string, Buffer>>): Promise<string[]> {
  const dir = mkdtempSync(join(tmpdir(), 'dsh-consumer-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  const library = (name: string): string => join(root, 'node_modules', name)
  return consumerProblems(dir, new Map(Object.entries(packages)), library)
}

it('is content where every package has what it names', async () => {
  await expect(
    problems({
      a: packed('a', "import type { B } from 'b'\nexport type A = B | NodeJS.Signals", ['b']),
      b: packed('b', "import type { Parameters } from 'fast-check'\nexport type B = Parameters", [
        'fast-check',
      ]),
    }),
  ).resolves.toEqual([])
})

it('says what is named and not asked for, though somebody else has it, and what is no type', async () => {
  const said = await problems({
    a: packed('a', "import type { B } from 'b'\nexport type A = B"),
    b: packed('b', 'export type B = 1\nexport type C = D'),
  })
  expect(said).toEqual([
    expect.stringMatching(/a\/index\.d\.ts\(1,24\): error TS2307: .*'b'/),
    expect.stringMatching(/b\/index\.d\.ts\(2,17\): error TS2304: .*'D'/),
  ])
})
