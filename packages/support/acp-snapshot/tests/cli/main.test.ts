import { EventEmitter } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { jsonl, tempTree } from '../temp.ts'
import { AGENT, GREEN, LOG, scenarios } from '../tier/example.ts'
import { AGENT_FLAG, FakeHost, run } from './fake-host.ts'

const BROKEN = { ...GREEN, 'stdout.expected.jsonl': jsonl({ other: 1 }) }

describe('replay', () => {
  it('reports each scenario and closes with the counts', async () => {
    const dir = scenarios({ b: GREEN, a: BROKEN, c: { 'input.json': '{}' } })
    const { code, out } = await run(['replay', '--dir', '.', ...AGENT_FLAG], {}, dir)
    expect(code).toBe(1)
    expect(out).toMatch(/^✗ a: stdout-differs/)
    expect(out).toMatch(/\n✓ b: 1 lane, 1 call, 1 log compared/)
    expect(out).toMatch(/\n✗ c: .*input\.json/)
    expect(out).toMatch(/\n1 passed, 2 failed, 0 skipped\n$/)
    const kept = /^ {2}run +(.+)$/m.exec(out)?.[1] ?? ''
    await expect(readFile(join(kept, 'stdout.log'), 'utf8').catch(() => kept)).resolves.not.toBe('')
  })

  it('takes names, and is 0 when they pass', async () => {
    const dir = scenarios({ good: GREEN, bad: BROKEN })
    const { code, out } = await run(['replay', 'good', '--dir', dir, ...AGENT_FLAG])
    expect(code).toBe(0)
    expect(out).toMatch(/1 passed, 0 failed, 0 skipped\n$/)
  })

  it('looks in tests/snapshots where no folder is given', async () => {
    const dir = tempTree(
      Object.fromEntries(
        Object.entries(GREEN).map(([name, text]) => [`tests/snapshots/one/${name}`, text]),
      ),
    )
    expect((await run(['replay', ...AGENT_FLAG], {}, dir)).code).toBe(0)
  })

  it('says the same as JSON for programs, and nothing else', async () => {
    const dir = scenarios({ one: GREEN })
    const { out } = await run(['replay', '--json', '--dir', dir, ...AGENT_FLAG])
    expect(JSON.parse(out)).toMatchObject({ scenario: 'one', status: 'passed' })
  })

  it('names the nearest scenario for one that there is not', async () => {
    const dir = scenarios({ 'text-turn': GREEN })
    const { code, err } = await run(['replay', 'text-trun', '--dir', dir, ...AGENT_FLAG])
    expect(code).toBe(2)
    expect(err).toContain('text-turn')
  })
})

it('init begins a project', async () => {
  const { code, out } = await run(['init', '--agent', 'node agent.js'], {}, tempTree({}))
  expect(code).toBe(0)
  expect(out).toMatch(/^wrote dsh-snapshot\.config\.json\n/)
})

it('interrupted while a folder is read, says so and no more', async () => {
  const dir = scenarios({ one: GREEN, two: GREEN })
  const host = new FakeHost(['replay', '--workers', '2', '--dir', dir, ...AGENT_FLAG], {}, '/')
  const done = main(host)
  host.emit('SIGINT')
  expect(await done).toBe(130)
  expect(host.out).not.toContain('red, by what')
})

describe('refresh', () => {
  it('writes, says what, and makes the scenario green', async () => {
    const dir = scenarios({ one: BROKEN })
    const { code, out } = await run(['refresh', '--dir', dir, ...AGENT_FLAG])
    expect(code).toBe(0)
    expect(out).toContain('  wrote stdout.expected.jsonl\n')
    expect((await run(['replay', '--dir', dir, ...AGENT_FLAG])).code).toBe(0)
  })

  it.each(['true', '1', 'yes'])('never writes where CI is %s', async (ci) => {
    const dir = scenarios({ one: BROKEN })
    const { code, out } = await run(['refresh', '--dir', dir, ...AGENT_FLAG], { CI: ci })
    expect(code).toBe(1)
    expect(out).toContain('CI never writes into a checkout')
    const text = await readFile(join(dir, 'one/stdout.expected.jsonl'), 'utf8')
    expect(text).toBe(BROKEN['stdout.expected.jsonl'])
  })

  it.each(['', 'false', '0'])('takes CI=%s as no CI', async (ci) => {
    const dir = scenarios({ one: GREEN })
    expect((await run(['refresh', '--dir', dir, ...AGENT_FLAG], { CI: ci })).code).toBe(0)
  })
})

describe('record', () => {
  it('takes names, and records nothing that is authored', async () => {
    const dir = scenarios({ one: GREEN, two: GREEN })
    const { code, out } = await run(['record', 'two', '--dir', dir, ...AGENT_FLAG])
    expect(code).toBe(0)
    expect(out).toMatch(/^- two: authored by hand.*\n0 passed, 0 failed, 1 skipped\n$/)
  })

  it('names the nearest scenario for one that there is not', async () => {
    const dir = scenarios({ 'text-turn': GREEN })
    const { code, err } = await run(['record', 'text-trun', '--dir', dir, ...AGENT_FLAG])
    expect(code).toBe(2)
    expect(err).toContain('did you mean "text-turn"?')
  })

  it('takes --out as from the folder in which it is called', async () => {
    const dir = scenarios({ one: GREEN })
    const flags = ['--dir', '.', '--out', 'copies', '--workers', '1', ...AGENT_FLAG]
    const { code } = await run(['refresh', ...flags], { CI: 'no checkout here' }, dir)
    expect(code).toBe(1)
    const elsewhere = tempTree({})
    const outside = ['--dir', '.', '--out', elsewhere, ...AGENT_FLAG]
    expect((await run(['refresh', ...outside], { CI: 'true' }, dir)).code).toBe(0)
    await expect(readFile(join(elsewhere, 'one/session.jsonl'), 'utf8')).resolves.toBe(LOG)
  })
})

it('reports in the order of the names, and one cause in full only once', async () => {
  const dir = scenarios({ b: GREEN, a: GREEN, c: BROKEN })
  const failing = JSON.stringify(['/usr/bin/env', 'FAKE_FAILS=no luck', process.execPath, AGENT])
  const { out } = await run(['replay', 'c', 'b', 'a', '--dir', dir, '--agent', failing])
  const heads = out.split('\n').filter((line) => /^[✓✗]/.test(line))
  expect(heads).toEqual([
    expect.stringMatching(/^✗ a: fault/),
    '✗ b: the same fault as a',
    '✗ c: the same fault as a',
    expect.stringMatching(/^✗ 3 red/),
  ])
  expect(out.match(/why .*no luck/g)).toHaveLength(1)
})

describe('conformance', () => {
  const recording = { 'input.json': GREEN['input.json'] as string, 'session.jsonl': LOG }

  it('prints a line per recording and the counts', async () => {
    const dir = scenarios({
      bad: { ...recording, 'session.jsonl': 'x' },
      good: recording,
    })
    const { code, out } = await run(['conformance', dir, ...AGENT_FLAG])
    expect(code).toBe(1)
    const lines = out.trimEnd().split('\n')
    expect(lines[0]).toMatch(/^✗ bad: .*session\.jsonl/)
    expect(lines[1]).toMatch(/^✓ good: /)
    expect(lines[2]).toBe('1 passed, 1 failed, 0 skipped')
  })

  it('takes the recordings of DSH_CORPUS_DIR by default, and is 0 when all pass', async () => {
    const dir = tempTree(
      Object.fromEntries(
        Object.entries(recording).map(([name, text]) => [`corpus/dsh-2026-07/one/${name}`, text]),
      ),
    )
    const { code, out } = await run(
      ['conformance', ...AGENT_FLAG],
      { DSH_CORPUS_DIR: 'corpus' },
      dir,
    )
    expect(out).toMatch(/^✓ one: .*\n1 passed, 0 failed, 0 skipped\n$/)
    expect(code).toBe(0)
  })

  it('repeats in rounds, and names each', async () => {
    const dir = scenarios({ one: recording })
    const { code, out } = await run(['conformance', dir, '--repeat', '2', ...AGENT_FLAG])
    expect(out.replaceAll(/one: .*/g, 'one')).toBe(
      'round 1 of 2\n✓ one\nround 2 of 2\n✓ one\n2 passed, 0 failed, 0 skipped\n',
    )
    expect(code).toBe(0)
  })

  it('case R5: is red for a difference in one round of many', async () => {
    const dir = scenarios({ one: recording })
    const once = { FAKE_SPOILS_ONCE: join(tempTree({}), 'spoiled') }
    const agent = JSON.stringify([
      '/usr/bin/env',
      ...Object.entries(once).map(([name, value]) => `${name}=${value}`),
      process.execPath,
      AGENT,
    ])
    const args = ['conformance', dir, '--repeat', '3', '--agent', agent]
    const { code, out } = await run(args)
    expect(code).toBe(1)
    expect(out).toMatch(/^round 1 of 3\n✗ one: log-differs/)
    expect(out).toMatch(
      /\nround 2 of 3\n✓ one: .*\nround 3 of 3\n✓ one: .*\n2 passed, 1 failed, 0 skipped\n$/,
    )
  })

  it.each(['0', '1.5', 'many'])('takes no %s rounds', async (rounds) => {
    const args = ['conformance', tempTree({}), '--repeat', rounds, ...AGENT_FLAG]
    const { code, err } = await run(args)
    expect({ code, err }).toEqual({
      code: 2,
      err: `--repeat must be a whole number from 1, got ${rounds}\n`,
    })
  })

  it('is red when there was nothing to replay', async () => {
    const { code, out } = await run(['conformance', tempTree({}), ...AGENT_FLAG])
    expect(out).toBe('0 passed, 0 failed, 0 skipped\n')
    expect(code).toBe(1)
  })

  it.each([{}, { DSH_CORPUS_DIR: '' }])('says how to name recordings (%j)', async (env) => {
    const { code, err } = await run(['conformance', ...AGENT_FLAG], env)
    expect(code).toBe(2)
    expect(err).toBe(
      'no recordings given: name their folder, or set DSH_CORPUS_DIR to the folder that holds it\n',
    )
  })

  it('says that a folder is not there', async () => {
    const { code, err } = await run(['conformance', '/no/such/folder', ...AGENT_FLAG])
    expect(code).toBe(2)
    expect(err).toContain('cannot list /no/such/folder')
  })
})

it('a folder without scenarios is no green run', async () => {
  const dir = tempTree({ 'a.txt': '' })
  const { code, out, err } = await run(['replay', '--dir', '.', ...AGENT_FLAG], {}, dir)
  expect([code, out, err]).toEqual([2, '', `there are no scenarios in ${dir}\n`])
})

describe('what people have to know', () => {
  const warns = (message: string) =>
    JSON.stringify(['env', `FAKE_WARNS=${message}`, process.execPath, AGENT])

  it('is said once for all scenarios, before the counts', async () => {
    const dir = scenarios({ a: GREEN, b: GREEN })
    const agent = warns('commands keep their network: no unshare')
    const args = ['replay', '--dir', dir, '--agent', agent]
    const { code, out } = await run(args, {})
    expect(code).toBe(0)
    expect(out.split('\n').slice(2)).toEqual([
      '! commands keep their network: no unshare',
      '2 passed, 0 failed, 0 skipped',
      '',
    ])
    const json = (await run([...args, '--json'])).out.trimEnd().split('\n')
    expect(json.map((line) => JSON.parse(line).notices)).toEqual([
      ['commands keep their network: no unshare'],
      ['commands keep their network: no unshare'],
    ])
    expect((await run(['conformance', dir, '--agent', agent])).out.split('\n').slice(2)).toEqual([
      '! commands keep their network: no unshare',
      '2 passed, 0 failed, 0 skipped',
      '',
    ])
  })
})

describe('the command line', () => {
  it('ends in order, and not with 0, when nobody reads its output any more', async () => {
    const dir = scenarios({ one: GREEN, two: GREEN })
    const host = new FakeHost(['replay', '--workers', '1', '--dir', dir, ...AGENT_FLAG], {}, '/')
    const stdout = new EventEmitter()
    const lines: string[] = []
    Object.assign(host, {
      stdout: Object.assign(stdout, {
        write: (text: string) => {
          lines.push(text)
          for (let times = 0; times < 2; times += 1) {
            process.nextTick(() => stdout.emit('error', new Error('EPIPE: broken pipe')))
          }
        },
      }),
    })
    expect(await main(host)).toBe(1)
    expect(host.err).toBe('cannot write to stdout: EPIPE: broken pipe\n')
    expect(lines).toEqual([
      expect.stringMatching(/^✓ one: /),
      '✗ two: the run was interrupted\n',
      '1 passed, 1 failed, 0 skipped\n',
    ])
  })

  it('cannot be broken by its own stderr', async () => {
    const host = new FakeHost(['reply'], {}, '/')
    const stderr = new EventEmitter()
    Object.assign(host, {
      stderr: Object.assign(stderr, { write: () => stderr.emit('error', new Error('EPIPE')) }),
    })
    expect(await main(host)).toBe(2)
  })

  it('stops at a signal, with 130', async () => {
    const dir = scenarios({ one: GREEN, two: GREEN })
    for (const command of [
      ['replay', '--dir', dir],
      ['conformance', dir],
    ]) {
      const host = new FakeHost([...command, ...AGENT_FLAG], {}, '/')
      const done = main(host)
      host.emit('SIGINT')
      expect(await done).toBe(130)
      expect(host.out).not.toContain('✓')
    }
  })

  it.each([
    [[], 'no command given; commands: replay, record, refresh, init, conformance (see --help)\n'],
    [
      ['reply'],
      'unknown command "reply"; commands: replay, record, refresh, init, conformance (see --help)\n',
    ],
  ])('refuses %j', async (args, message) => {
    expect(await run(args)).toEqual({ code: 2, out: '', err: message })
  })

  it('needs to be told how to start the agent', async () => {
    const { code, err } = await run(['replay', '--dir', scenarios({ one: GREEN })])
    expect(code).toBe(2)
    expect(err).toContain('--agent is missing')
  })

  it('refuses a flag that it does not know', async () => {
    const { code, err } = await run(['replay', '--dri', 'x', ...AGENT_FLAG])
    expect(code).toBe(2)
    expect(err).toContain('--dri')
  })

  it.each(['0', '1.5', 'many'])('refuses --workers %s', async (workers) => {
    const { code, err } = await run(['replay', '--workers', workers, ...AGENT_FLAG])
    expect(code).toBe(2)
    expect(err).toContain('--workers must be a whole number from 1')
  })

  it('helps', async () => {
    const { code, out } = await run(['--help'])
    expect(code).toBe(0)
    expect(out).toContain('conformance [dir]')
  })
})
