import { describe, expect, it } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { jsonl } from '../temp.ts'
import { GREEN, scenarios } from '../tier/example.ts'
import { AGENT_FLAG, FakeHost, run } from './fake-host.ts'
import { printed } from './printed.ts'

const BROKEN = { ...GREEN, 'stdout.expected.jsonl': jsonl({ other: 1 }) }

describe('what a red run says', () => {
  const env = { npm_lifecycle_event: 'snap' }

  it('is one JSON object for each scenario, with the cause and what accepts it', async () => {
    const dir = scenarios({ one: BROKEN, two: { 'input.json': '{}' } })
    const { code, out } = await run(['replay', '--json', '--dir', dir, ...AGENT_FLAG], env)
    expect(code).toBe(1)
    const [one, two, ...more] = out.trimEnd().split('\n')
    expect(more).toEqual([])
    expect(printed(one)).toMatchObject({
      format: 1,
      scenario: 'one',
      cause: { kind: 'stdout-differs', lane: { lane: 0, file: 'session.jsonl' } },
      accept: { command: expect.stringMatching(/^dsh-acp-snapshot refresh one --dir /) },
    })
    expect(printed(two)).toMatchObject({
      format: 1,
      scenario: 'two',
      status: 'failed',
      problems: [expect.stringContaining('input.json')],
    })
  })

  it('closes with all of them by what helps, and with the counts', async () => {
    const dir = scenarios({ one: BROKEN, two: { 'input.json': '{}' }, six: BROKEN })
    const { out } = await run(['replay', '--dir', dir, ...AGENT_FLAG], env)
    const [head, mend, refresh, counts] = out.trimEnd().split('\n').slice(-4)
    expect(head).toMatch(/^✗ 3 red, /)
    expect(mend).toBe('  mend      two')
    expect(refresh).toMatch(/^ {2}refresh {3}dsh-acp-snapshot refresh one six --dir /)
    expect(counts).toBe('0 passed, 3 failed, 0 skipped')
  })

  it('is coloured on a terminal, and never as JSON', async () => {
    const dir = scenarios({ one: BROKEN })
    for (const flags of [[], ['--json']]) {
      const host = new FakeHost(['replay', ...flags, '--dir', dir, ...AGENT_FLAG], {}, '/')
      Object.assign(host.stdout, { isTTY: true })
      await main(host)
      expect(host.out.includes('\u001b[31m✗ one')).toBe(flags.length === 0)
    }
  })
})
