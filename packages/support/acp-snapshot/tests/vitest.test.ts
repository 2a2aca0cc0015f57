import { mkdtempSync, rmSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { expectGreen, snapshotSuite } from '../src/vitest.ts'
import { tempTree } from './temp.ts'
import { AGENT, GREEN, scenarios } from './tier/example.ts'

// The suite declares its tests while this file is collected, so its folder is there by then.
const root = mkdtempSync(join(tmpdir(), 'dsh-suite-'))
for (const name of ['one', 'two', '.hidden']) {
  mkdirSync(join(root, name))
  for (const [file, text] of Object.entries(GREEN)) writeFileSync(join(root, name, file), text)
}
afterAll(() => rmSync(root, { recursive: true }))

const command = [process.execPath, AGENT] as const
snapshotSuite({ scenariosDir: root, command: [...command], env: { FAKE_SAYS: 'READY' } })
describe('by URL', () => {
  snapshotSuite({ scenariosDir: pathToFileURL(`${root}/`), command: [...command] })
})

it('refuses a folder without scenarios', () => {
  const empty = tempTree({ 'file.txt': '' })
  expect(() => snapshotSuite({ scenariosDir: empty, command: [...command] })).toThrow(
    `no scenario folder in ${empty}`,
  )
})

it('fails with the verdict, and nothing else', async () => {
  const dir = join(scenarios({ red: GREEN }), 'red')
  const tempRoot = tempTree({})
  const env = { FAKE_SAYS: 'STEADY' }
  const failure = expectGreen(dir, { scenariosDir: '', command: [...command], env, tempRoot })
  await expect(failure).rejects.toThrow(
    /^✗ red: stdout-differs[^]*pnpm run test:snapshot:refresh red/,
  )
  await expect(failure).rejects.toSatisfy((error: Error) => error.stack === error.message)
  await expect(
    expectGreen(dir, {
      scenariosDir: '',
      command: [...command],
      env,
      tempRoot,
      invocation: 'npm run snap',
    }),
  ).rejects.toThrow('npm run snap:refresh red')
})
