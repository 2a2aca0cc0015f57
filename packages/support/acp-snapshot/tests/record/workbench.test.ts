import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Workbench } from '../../src/record/workbench.ts'
import { loadScenario } from '../../src/scenario/load.ts'
import { header, jsonl, tempTree } from '../temp.ts'
import { GREEN, LOG, scenarios } from '../tier/example.ts'

const CHILD = jsonl(header('{{session.1}}', { parentSession: '{{session}}' }))
const NEW_LOG = LOG.replace('ready?', 'ready now?')

async function bench(files: Readonly<Record<string, string>> = GREEN, out?: string) {
  const root = scenarios({ one: files })
  const scenario = await loadScenario(join(root, 'one'), { purpose: 'record' })
  const opened = await Workbench.open(scenario, out === undefined ? {} : { out })
  const read = (name: string) => readFileSync(join(root, 'one', name), 'utf8')
  return { root, scenario, bench: opened, read, names: () => readdirSync(join(root, 'one')).sort() }
}

it('stages a whole scenario and publishes what changed', async () => {
  const {
    root,
    bench: b,
    read,
    names,
  } = await bench({
    ...GREEN,
    'session.1.jsonl': CHILD,
    'workspace/a.txt': 'a',
  })
  const files = new Map([['session.jsonl', NEW_LOG]])
  const staged = await b.stage(files, 'replaced')
  expect(staged.name).toBe('one')
  expect(staged.dir).not.toBe(join(root, 'one'))
  expect(staged.logFiles.map((file) => readFileSync(file, 'utf8'))).toEqual([NEW_LOG])
  expect(readFileSync(join(String(staged.workspaceDir), 'a.txt'), 'utf8')).toBe('a')
  expect(read('session.jsonl')).toBe(LOG)

  await expect(b.publish(files)).resolves.toEqual(['session.jsonl', 'session.1.jsonl'])
  await b.close()
  expect(read('session.jsonl')).toBe(NEW_LOG)
  expect(names()).toEqual(['input.json', 'session.jsonl', 'stdout.expected.jsonl', 'workspace'])
  expect(readdirSync(root)).toEqual(['one'])
})

it('keeps the logs where only other files are new', async () => {
  const { bench: b, names } = await bench({ ...GREEN, 'session.1.jsonl': CHILD })
  const files = new Map([['stdout.expected.jsonl', jsonl({ other: 1 })]])
  const staged = await b.stage(files, 'kept')
  expect(staged.logFiles).toHaveLength(2)
  await expect(b.publish(files)).resolves.toEqual(['stdout.expected.jsonl'])
  await b.close()
  expect(names()).toContain('session.1.jsonl')
})

it('closing without publishing leaves everything as it was', async () => {
  const { root, bench: b, read } = await bench()
  await b.stage(new Map([['session.jsonl', NEW_LOG]]), 'replaced')
  await b.close()
  expect(read('session.jsonl')).toBe(LOG)
  expect(readdirSync(root)).toEqual(['one'])
})

describe('a scenario is held by one process', () => {
  it('refuses a second, and says who holds it', async () => {
    const { scenario, bench: b } = await bench()
    await expect(Workbench.open(scenario)).rejects.toMatchObject({
      code: 'BUSY',
      message: expect.stringContaining(`process ${process.pid} on `) as string,
    })
    await b.close()
    await (await Workbench.open(scenario)).close()
  })

  it('is not held by one that was killed, and what that left is cleared away', async () => {
    const { root, scenario, bench: b } = await bench()
    await b.close()
    const { pid } = spawnSync(process.execPath, ['-e', '0'])
    writeFileSync(
      join(root, '.one.lock'),
      JSON.stringify({ owner: `${hostname()}:${pid}:`, id: 'x' }),
    )
    mkdirSync(join(root, '.one.staged-dead'))
    writeFileSync(join(root, '.one.lock.draft'), '')
    mkdirSync(join(root, '.other.staged-live'))
    const again = await Workbench.open(scenario)
    expect(readdirSync(root)).not.toContain('.one.staged-dead')
    expect(readdirSync(root)).not.toContain('.one.lock.draft')
    await again.close()
    expect(readdirSync(root).sort()).toEqual(['.other.staged-live', 'one'])
  })

  it('counts one that may not be signalled as running', async () => {
    const { root, scenario, bench: b } = await bench()
    await b.close()
    // Process 1 is there always, and belongs to somebody else or to us.
    writeFileSync(join(root, '.one.lock'), JSON.stringify({ owner: `${hostname()}:1:`, id: 'x' }))
    await expect(Workbench.open(scenario)).rejects.toMatchObject({ code: 'BUSY' })
  })
})

describe('a folder that cannot be written', () => {
  it('is found before anything is run', async () => {
    const { scenario, bench: b } = await bench()
    await b.close()
    const file = join(tempTree({ file: '' }), 'file')
    await expect(Workbench.open(scenario, { out: join(file, 'below') })).rejects.toMatchObject({
      code: 'CANNOT_WRITE',
      message: expect.stringMatching(
        /^cannot write .*\/file\/below\/one: ENOTDIR.*; what was there is unchanged$/,
      ) as string,
    })
  })

  it('is found before anything is run, though only the scenario itself is read-only', async () => {
    const { root, scenario, bench: b } = await bench()
    await b.close()
    rmSync(join(root, 'one'), { recursive: true })
    await expect(Workbench.open(scenario)).rejects.toMatchObject({ code: 'CANNOT_WRITE' })
    expect(readdirSync(root)).toEqual([])
  })

  it('gives the lock back where no stage can be made beside it', async () => {
    // The name of the lock still fits, that of the stage does not.
    const name = 'x'.repeat(244)
    const root = scenarios({ [name]: GREEN })
    let next = 0
    const ids = { uuid: () => String((next += 1)) }
    await expect(
      Workbench.open(await loadScenario(join(root, name)), { ids }),
    ).rejects.toMatchObject({ code: 'CANNOT_WRITE' })
    expect(readdirSync(root)).toEqual([name])
  })

  it('calls a stage that does not load by the name of the scenario', async () => {
    const { bench: b } = await bench()
    const staged = b.stage(new Map([['session.jsonl', 'no log\n']]), 'replaced')
    await expect(staged).rejects.toThrow(/^one\/session\.jsonl:1:1: /)
    await b.close()
  })

  it('shows when a stage has gone meanwhile', async () => {
    const { root, bench: b } = await bench()
    rmSync(root, { recursive: true })
    await expect(b.stage(new Map(), 'kept')).rejects.toMatchObject({ code: 'CANNOT_WRITE' })
    await expect(b.publish(new Map([['a', '']]))).rejects.toMatchObject({ code: 'CANNOT_WRITE' })
  })
})

describe('an --out folder', () => {
  it('receives the whole scenario, and is replaced as a whole', async () => {
    const out = join(tempTree({}), 'not', 'yet')
    const { bench: first, read, scenario } = await bench({ ...GREEN, 'workspace/a': 'a' }, out)
    const files = new Map([['session.jsonl', NEW_LOG]])
    await first.stage(files, 'replaced')
    await expect(first.publish(files)).resolves.toEqual(['session.jsonl'])
    await first.close()
    expect(readFileSync(join(out, 'one/session.jsonl'), 'utf8')).toBe(NEW_LOG)
    expect(readFileSync(join(out, 'one/workspace/a'), 'utf8')).toBe('a')
    expect(read('session.jsonl')).toBe(LOG)

    writeFileSync(join(out, 'one/stale'), '')
    const second = await Workbench.open(scenario, { out })
    await second.stage(files, 'replaced')
    await expect(second.publish(files)).resolves.toEqual([])
    await second.close()
    expect(readdirSync(out)).toEqual(['one'])
    expect(readdirSync(join(out, 'one'))).not.toContain('stale')
  })

  it('keeps its old copy where the new one cannot be put there', async () => {
    const out = tempTree({ 'one/keep': 'me' })
    const { bench: b } = await bench(GREEN, out)
    await b.stage(new Map(), 'kept')
    const staged = readdirSync(out).find((name) => name.startsWith('.one.staged-')) as string
    mkdirSync(join(out, staged, '.whole'))
    await expect(b.publish(new Map())).rejects.toMatchObject({ code: 'CANNOT_WRITE' })
    expect(readFileSync(join(out, 'one/keep'), 'utf8')).toBe('me')
    await b.close()
  })
})
