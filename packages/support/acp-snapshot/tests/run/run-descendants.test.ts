import { describe, expect, test } from 'vitest'
import { linuxProcessTable } from '../../src/run/process-table-linux.ts'
import { hello, open, run, scenario, useTempDir } from './harness.ts'

const tempRoot = useTempDir()

describe.runIf(process.platform === 'linux')('descendants', () => {
  test.each(['marked', 'in-cwd', 'only-seen', 'in-group'])(
    'case R4: a process that is left over is ended and named (%s)',
    async (way) => {
      const result = await run({
        agent: ['leaves.mjs', way],
        scenario: scenario([...open, hello]),
        tempRoot: tempRoot(),
        dependencies: { limits: { descendantGraceMs: 30 } },
      })
      expect(result.faults).toEqual([
        {
          kind: 'descendants-left',
          processes: [expect.stringMatching(/^\/bin\/sleep 600\.25 \(pid \d+\)$/)],
        },
      ])
      const [fault] = result.faults
      const named = fault?.kind === 'descendants-left' ? (fault.processes[0] ?? '') : ''
      const pid = Number(/\d+(?=\)$)/.exec(named)?.[0])
      const running = await linuxProcessTable().list()
      expect(running.map((entry) => entry.pid)).not.toContain(pid)
    },
  )

  test('one that ends by itself soon after the agent is no fault', async () => {
    const result = await run({
      agent: ['leaves.mjs', 'short'],
      scenario: scenario(open),
      tempRoot: tempRoot(),
      dependencies: { limits: { descendantGraceMs: 10_000 } },
    })
    expect(result.faults).toEqual([])
  })

  test('case R4: two runs at once do not disturb each other', async () => {
    const start = (way: string) =>
      run({
        agent: ['leaves.mjs', way],
        scenario: scenario([...open, hello]),
        tempRoot: tempRoot(),
        dependencies: { limits: { descendantGraceMs: 30 } },
      })
    const results = await Promise.all([start('marked'), start('in-cwd')])
    for (const { faults, stdout } of results) {
      expect(faults).toMatchObject([
        { kind: 'descendants-left', processes: [expect.stringContaining('/bin/sleep')] },
      ])
      expect(stdout).toHaveLength(3)
    }
    expect(results[0].folder.dir).not.toBe(results[1].folder.dir)
  })
})
