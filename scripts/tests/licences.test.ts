import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { licencesOf, noticesText } from '../lib/licences.mjs'

function tree(files: Readonly<Record<string, string>>): string {
  const dir = mkdtempSync(join(tmpdir(), 'dsh-licences-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    writeFileSync(join(dir, path), text)
  }
  return dir
}
const manifest = (name: string) => JSON.stringify({ name, version: '1.2.3', license: 'MIT' })

it('has the text of every package in a bundle once, nested and scoped ones too', () => {
  const dir = tree({
    'node_modules/b/package.json': manifest('b'),
    'node_modules/b/LICENSE': 'Text of b\n',
    'node_modules/b/node_modules/@s/a/package.json': manifest('@s/a'),
    'node_modules/b/node_modules/@s/a/licence.md': 'Text of a',
  })
  const inputs = [
    'src/own.ts',
    'node_modules/b/x.js',
    'node_modules/b/y/z.js',
    'node_modules/b/node_modules/@s/a/deep/x.js',
  ]
  const licences = licencesOf(inputs, dir)
  expect(licences).toEqual(['@s/a 1.2.3 (MIT)\n\nText of a\n', 'b 1.2.3 (MIT)\n\nText of b\n'])
  const line = `\n${'-'.repeat(80)}\n\n`
  expect(noticesText(licences)).toBe(licences.join(line))
  expect(licencesOf(['src/own.ts'], dir)).toEqual([])
})

it('ships nothing that comes without a licence', () => {
  const dir = tree({ 'node_modules/c/package.json': manifest('c') })
  expect(() => licencesOf(['node_modules/c/x.js'], dir)).toThrow('c@1.2.3 has no licence text')
})
