import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'

// The test runner adds export conditions of its own; what a plain node resolves shows only in one.
const dist = new URL('../dist/index.js', import.meta.url).href
const dir = mkdtempSync(join(tmpdir(), 'dsh-boot-process-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

function write(name: string, text: string): string {
  const path = join(dir, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return path
}

const pack = (name: string, exports: unknown): void => {
  write(`node_modules/${name}/package.json`, JSON.stringify({ name, type: 'module', exports }))
  const said = JSON.stringify(`${name}: `)
  write(
    `node_modules/${name}/index.js`,
    `export const apply = (ctx, config) => { process.stdout.write(${said} + JSON.stringify(config) + '\\n') }`,
  )
}

const run = write(
  'run.mjs',
  `import { bootComposition } from ${JSON.stringify(dist)}
try {
  const composition = await bootComposition({ config: process.argv[2] })
  await composition.dispose()
  await composition.dispose()
  process.stdout.write('ended\\n')
} catch (error) {
  process.stdout.write(error.code + ': ' + error.message)
  process.exitCode = 1
}`,
)

const node = async (config: string): Promise<{ code: number; stdout: string; stderr: string }> => {
  const env = { PATH: process.env.PATH, MODEL: 'small' }
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [run, config], { env })
    return { code: 0, stdout, stderr }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { code, stdout, stderr }
  }
}

test('boots packages by the condition default, with the environment, and ends by itself', async () => {
  pack('plug', { '.': { import: './no.js', default: './index.js' } })
  const config = write(
    'a b#c/cordis.yml',
    '- name: plug\n  config: { model: !!js process.env.MODEL, key: !!js process.env.UNSET_KEY }\n- name: ./p.mjs\n',
  )
  // A folder whose name is different in a URL.
  write('a b#c/p.mjs', 'export const apply = () => {}')
  await expect(node(config)).resolves.toEqual({
    code: 0,
    stdout: 'plug: {"model":"small"}\nended\n',
    stderr: '',
  })
})

test('says what a package that exports only the condition import lacks', async () => {
  pack('esm-only', { '.': { import: './index.js' } })
  const config = write('esm.yml', '- { id: it, name: esm-only }\n')
  const { code, stdout } = await node(config)
  expect(code).toBe(1)
  expect(stdout).toMatch(
    /^NOT_LOADED: .*esm\.yml does not run:\n {2}- row "it" \(esm-only\) cannot import/,
  )
  expect(stdout).toContain('; a plugin package must export the condition "default"')
})
