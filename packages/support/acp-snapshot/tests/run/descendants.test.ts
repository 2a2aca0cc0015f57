import { describe, expect, test } from 'vitest'
import { Descendants } from '../../src/run/descendants.ts'
import { defaultLimits } from '../../src/run/limits.ts'
import type { ProcessDetails, ProcessEntry, ProcessTable } from '../../src/run/process-table.ts'
import { HeldClock } from './held-clock.ts'

const nothing: ProcessDetails = { run: undefined, cwd: '/', command: 'thing' }

/** A table that is what the test says. Killing removes, but for the immortal. */
class FakeTable implements ProcessTable {
  readonly rows = new Map<number, { entry: ProcessEntry; details: ProcessDetails | undefined }>()
  readonly killed: number[] = []
  readonly immortal = new Set<number>()
  onList = (): void => {}

  add(pid: number, entry: Partial<ProcessEntry> = {}, details?: Partial<ProcessDetails>): void {
    this.rows.set(pid, {
      entry: { pid, parent: 1, group: pid, session: pid, started: 'now', ...entry },
      details: { ...nothing, ...details },
    })
  }

  async list(): Promise<ProcessEntry[]> {
    this.onList()
    return [...this.rows.values()].map(({ entry }) => entry)
  }

  async inspect(pid: number): Promise<ProcessDetails | undefined> {
    return this.rows.get(pid)?.details
  }

  kill(pid: number): void {
    this.killed.push(pid)
    if (!this.immortal.has(pid)) this.rows.delete(pid)
  }
}

const limits = { ...defaultLimits, descendantGraceMs: 0, pollMs: 0, killWaitMs: 50 }
const self = 5

async function begin(table: FakeTable, overrides = {}): Promise<Descendants> {
  const descendants = await Descendants.begin({
    table,
    runId: 'run-1',
    dir: '/run',
    clock: new HeldClock(),
    limits: { ...limits, ...overrides },
    self,
  })
  descendants.addAgent(100)
  return descendants
}

describe('who belongs to a run', () => {
  test.each<[string, Partial<ProcessEntry>, Partial<ProcessDetails>]>([
    ['its environment names it', {}, { run: 'run-1' }],
    ['it works in the folder', {}, { cwd: '/run' }],
    ['it works below the folder', {}, { cwd: '/run/cwd' }],
    ['the folder that it worked in is gone', {}, { cwd: '/run (deleted)' }],
    ['it is in the agent’s group', { group: 100 }, {}],
    ['it is in the agent’s session', { session: 100 }, {}],
    ['the agent is its parent', { parent: 100 }, {}],
  ])('%s', async (_why, entry, details) => {
    const table = new FakeTable()
    const descendants = await begin(table)
    table.add(100)
    table.add(7, entry, details)
    await descendants.observe()
    table.rows.delete(100)
    expect(await descendants.end()).toEqual(['thing (pid 7)'])
    expect(table.killed).toEqual([7])
  })

  test.each<[string, Partial<ProcessEntry>, Partial<ProcessDetails>]>([
    ['another run', {}, { run: 'run-2' }],
    ['a folder whose name begins alike', {}, { cwd: '/run-2' }],
    ['nothing', {}, {}],
    ['a cwd that does not show', {}, { cwd: undefined }],
  ])('%s does not make one', async (_why, entry, details) => {
    const table = new FakeTable()
    const descendants = await begin(table)
    table.add(7, entry, details)
    expect(await descendants.end()).toEqual([])
    expect(table.killed).toEqual([])
  })

  test('children of children, in whatever order they are listed', async () => {
    const table = new FakeTable()
    const descendants = await begin(table)
    table.add(9, { parent: 8 })
    table.add(8, { parent: 7 })
    table.add(7, {}, { run: 'run-1' })
    expect(await descendants.end()).toEqual(['thing (pid 9)', 'thing (pid 8)', 'thing (pid 7)'])
  })

  test('one that was seen to belong is known when it has hidden every trace', async () => {
    const table = new FakeTable()
    const descendants = await begin(table)
    table.add(7, {}, { run: 'run-1' })
    await descendants.observe()
    table.add(7)
    table.add(8, { started: 'then' })
    expect(await descendants.end()).toEqual(['thing (pid 7)'])
  })

  test('a number that is used again is another process', async () => {
    const table = new FakeTable()
    const descendants = await begin(table)
    table.add(7, {}, { run: 'run-1' })
    await descendants.observe()
    table.add(7, { started: 'later' })
    expect(await descendants.end()).toEqual([])
  })

  test('one that was there before is never touched, nor is the harness', async () => {
    const table = new FakeTable()
    table.add(7, {}, { cwd: '/run' })
    const descendants = await begin(table)
    table.add(self, {}, { run: 'run-1' })
    expect(await descendants.end()).toEqual([])
  })

  test('one that ends while it is looked at is not there', async () => {
    const table = new FakeTable()
    const descendants = await begin(table)
    table.rows.set(7, {
      entry: { pid: 7, parent: 1, group: 100, session: 100, started: 'now' },
      details: undefined,
    })
    expect(await descendants.end()).toEqual([])
  })
})

describe('ending them', () => {
  test('one that ends by itself in time is not mentioned', async () => {
    const table = new FakeTable()
    const descendants = await begin(table, { descendantGraceMs: 60_000 })
    table.add(7, {}, { run: 'run-1' })
    let looks = 0
    table.onList = () => {
      looks += 1
      if (looks === 3) table.rows.delete(7)
    }
    expect(await descendants.end()).toEqual([])
    expect(table.killed).toEqual([])
  })

  test('what they start while they are ended is ended too, and each is named once', async () => {
    const table = new FakeTable()
    const descendants = await begin(table)
    table.add(7, {}, { run: 'run-1', command: 'parent' })
    const kill = table.kill.bind(table)
    table.kill = (pid) => {
      if (pid === 7 && !table.rows.has(8)) table.add(8, { parent: 7 }, { command: 'child' })
      kill(pid)
      if (pid === 7) table.add(8, {}, { run: 'run-1', command: 'child' })
    }
    expect(await descendants.end()).toEqual(['parent (pid 7)', 'child (pid 8)'])
    expect(table.rows.size).toBe(0)
  })

  test('one that cannot be ended is given up and named', async () => {
    const table = new FakeTable()
    const descendants = await begin(table, { killWaitMs: 20 })
    table.add(7, {}, { run: 'run-1' })
    table.immortal.add(7)
    const kill = table.kill.bind(table)
    table.kill = (pid) => {
      kill(pid)
      table.add(pid, {}, { run: 'run-1', command: '' })
    }
    expect(await descendants.end()).toEqual(['thing (pid 7)'])
    expect(table.killed.length).toBeGreaterThan(1)
  })

  test('names are bounded in length and number', async () => {
    const table = new FakeTable()
    const descendants = await begin(table)
    for (let pid = 200; pid < 230; pid += 1) {
      table.add(pid, {}, { run: 'run-1', command: 'x'.repeat(500) })
    }
    const named = await descendants.end()
    expect(named).toHaveLength(20)
    expect(named[0]).toBe(`${'x'.repeat(200)} (pid 200)`)
    expect(table.rows.size).toBe(0)
  })
})
