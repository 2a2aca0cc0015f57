import { describe, expect, it } from 'vitest'
import { renderVerdict } from '../../src/verdict/render.ts'
import type { Finding, Verdict } from '../../src/verdict/types.ts'
import { difference, labelled, lines, red } from './red-verdict.ts'

describe('the screen', () => {
  const long = 'x'.repeat(5_000)
  const value = { ...difference, path: long, expected: `"${long}a"`, actual: `"${long}b"` }
  const finding: Finding = { kind: 'log-differs', file: 'session.1.jsonl', difference: value }
  const fault: Finding = {
    kind: 'fault',
    fault: { kind: 'step-failed', step: 1, op: 'prompt', message: `${long} ${long}` },
  }
  const stderrTail = Array(50).fill(`${long}\n${long}`).join('\n')

  it.each([80, 110])('holds it whatever happened, in %i columns', (width) => {
    const many = Array.from({ length: 40 }, (_, index): Finding => {
      return { ...finding, difference: { ...value, line: index } }
    })
    const text = renderVerdict(
      red([fault, ...many], { stderrTail, lastCall: { lane: 1, call: 1 }, remedy: 'fix' }),
      { width },
    )
    const all = text.split('\n')
    expect(all).toHaveLength(25)
    expect(Math.max(...all.map((line) => line.length))).toBe(width)
    expect(labelled('expected', text)[0]).toContain('xa"')
    expect(labelled('actual', text)[0]).toContain('xb"')
    expect(labelled('stderr', text)).toHaveLength(3)
    expect(labelled('also', text).at(-1)).toMatch(/^ {2}also {6}\d+ more$/)
    expect(all.at(-1)).toBe('  run       /tmp/run')
  })

  it('cuts no command and no folder, which are there to be copied', () => {
    const runDir = `/tmp/${long}`
    const text = renderVerdict(red([finding], { runDir, scenario: `n-${long}` }), { width: 80 })
    expect(text).toContain(`\n  accept    pnpm run test:snapshot:refresh n-${long}\n`)
    expect(text).toContain('\n            (keeps the recorded answers)\n')
    expect(text.endsWith(`  run       ${runDir}`)).toBe(true)
  })

  it('gives way for what has to be there', () => {
    const stranger: Finding = { kind: 'unrecorded-session', message: 'word '.repeat(400) }
    const extra: Finding = { kind: 'log-extra', session: 's', path: 'p', asked: 'word '.repeat(99) }
    const all = [stranger, extra, ...Array.from({ length: 9 }, () => stranger), finding]
    const more = { remedy: 'record', source: 'api', lastCall: { lane: 0, call: 1 } } as const
    const text = renderVerdict(red(all, { ...more, stderrTail }), { width: 80 })
    expect(text.split('\n').length).toBeLessThanOrEqual(25)
    expect(labelled('stderr', text)).toHaveLength(2)
    expect(labelled('differs', text)).toHaveLength(1)
  })

  it('tells the last lines of stderr whole, as many as there is room for', () => {
    const said = (...texts: string[]) => {
      const more = { stderrTail: texts.join('\n'), remedy: 'fix' } as const
      const all = renderVerdict(red([fault], more), { width: 60 }).split('\n')
      const from = all.findIndex((line) => line.startsWith('  stderr'))
      return all.slice(
        from,
        all.findIndex((line) => line.startsWith('  accept')),
      )
    }
    const words = 'word '.repeat(15).trim()
    expect(said('one', words)).toEqual([
      '  stderr    one',
      `  stderr    ${'word '.repeat(9).trim()}`,
      `            ${'word '.repeat(6).trim()}`,
    ])
    // Three lines of three rows are all; a fourth would be told in part.
    expect(said('x', long, long, long)).toHaveLength(9)
    expect(said('x', long, long)).toHaveLength(7)
  })

  it('shows the end of stderr, less of it beside a difference', () => {
    const words = { stderrTail: '1\n2\n3\n4\n \n5\n6\n7\n' }
    expect(labelled('stderr', lines([fault], words).join('\n'))).toHaveLength(5)
    expect(labelled('stderr', lines([finding], words).join('\n'))).toEqual([
      '  stderr    6',
      '  stderr    7',
    ])
  })
})

describe('what makes it green', () => {
  const missing: Finding = { kind: 'stdout-missing', file: 'f' }
  const accepted = (more: Partial<Verdict>, finding: Finding = missing) =>
    renderVerdict(red([finding], more), { command: 'go' })
      .split('\n')
      .slice(2, -1)

  it.each([
    ['refresh', 'go:refresh subagent-multi  (keeps the recorded answers)'],
    ['record', 'go:record subagent-multi  (re-record: other model calls than recorded)'],
    ['by-hand', 'edit the logs or the override by hand: an authored scenario is never recorded'],
    ['agent', 'the recording is not ours to change: find what the agent does differently'],
    ['requests', 'nothing to accept: the agent asks the model for something else than it logs'],
    [
      'script',
      'make the rules of subagent-multi/wire.json answer what the agent asks, or find out why it asks',
    ],
    ['fix', 'nothing to accept: no recording would mend this'],
  ] as const)('is named: %s', (remedy, text) => {
    expect(accepted({ remedy })).toEqual([`  accept    ${text}`])
  })

  it('names both where the model is shown something else', () => {
    expect(accepted({ alternative: 'record' })).toEqual([
      '  accept    go:refresh subagent-multi  (keeps the recorded answers)',
      '  or        go:record subagent-multi  (asks the model again, since it is shown something else)',
    ])
  })

  it('names the key where only the endpoint answers', () => {
    const key = "needs the model's key"
    expect(accepted({ remedy: 'record', source: 'api' })[0]).toMatch(`recorded; ${key})`)
    expect(accepted({ alternative: 'record', source: 'api' }).join('\n')).toMatch(`else; ${key})`)
    expect(accepted({ remedy: 'record', source: 'wire' })[0]).not.toMatch(key)
  })

  it('names what makes the result of a tool steady', () => {
    const result = { ...difference, eventType: 'tool/result', tool: 'clock' }
    const at = (more: object): Finding => {
      return { kind: 'log-differs', file: 'f', difference: { ...result, ...more } }
    }
    const steady = (finding: Finding) => labelled('or', renderVerdict(red([finding])))
    expect(steady(at({}))).toEqual([
      '  or        if it differs each time: in the config a rule of "normalise", or "tools": {"clock": "recorded"}',
    ])
    const { tool: _tool, ...nameless } = result
    const finding: Finding = { kind: 'log-differs', file: 'f', difference: nameless }
    expect(steady(finding)[0]).toMatch(/"tools": \{"NAME": "recorded"\}$/)
    expect(steady(at({ eventType: 'tool/call' }))).toEqual([])
    expect(steady({ ...at({}), kind: 'stdout-differs' } as Finding)).toEqual([])
  })

  it.each<Finding>([
    { kind: 'log-differs', file: 'f', difference },
    { kind: 'stdout-differs', file: 'f', difference },
    { kind: 'header-differs', file: 'f', difference },
  ])('is no recording where a proof shows %j, but a rule', (finding) => {
    expect(accepted({ remedy: 'fix' }, finding).slice(-2)).toEqual([
      '  accept    nothing to accept: what the agent says and writes differs from run to run; to steady it: in the',
      '            config a rule of "normalise"',
    ])
  })

  it('or the recording, where a proof shows the result of a tool', () => {
    const result = { ...difference, eventType: 'tool/result', tool: 'clock' }
    const finding: Finding = { kind: 'log-differs', file: 'f', difference: result }
    expect(accepted({ remedy: 'fix' }, finding).at(-1)).toBe(
      '            config a rule of "normalise", or "tools": {"clock": "recorded"}',
    )
    const narrow = renderVerdict(red([finding], { remedy: 'fix' }), { width: 80 })
    expect(narrow.split('\n').at(-2)).toMatch(/"recorded"\}$/)
  })

  it.each<Finding>([
    { kind: 'log-missing', file: 'f' },
    { kind: 'log-extra', session: 's', path: 'p' },
  ])('is nothing where a proof shows %j, which no rule steadies', (finding) => {
    const text = accepted({ remedy: 'fix' }, finding).join('\n')
    expect(text).toMatch(/what the agent says and writes differs from run to run$/)
  })

  it('says what stamps places where two sessions have one', () => {
    const text = accepted({ remedy: 'fix' }, { kind: 'wrong-lane', message: 'm' }).join('\n')
    expect(text).toContain('nothing to accept: two sessions must not have one place')
  })

  it('is in the words of a project that has others', () => {
    const invocation = (mode: string, names: readonly string[]) => `${mode}! ${names.join()}`
    expect(renderVerdict(red([missing]), { invocation })).toContain('refresh! subagent-multi')
  })
})

it('is coloured where that is wanted, with the same words', () => {
  const finding: Finding = { kind: 'log-differs', file: 'session.jsonl', difference }
  const coloured = renderVerdict(red([finding]), { colour: true })
  expect(coloured).toContain('\u001b[31m✗ subagent-multi: log-differs')
  expect(coloured).toContain('\u001b[2mexpected  \u001b[22m\u001b[32m"ALPHA"\u001b[39m')
  expect(coloured).toContain('\u001b[31m"BETA"\u001b[39m')
  expect(coloured).toContain('\u001b[1mpnpm run test:snapshot:refresh')
  // oxlint-disable-next-line no-control-regex -- these are what colours are made of
  expect(coloured.replaceAll(/\u001b\[\d+m/g, '')).toBe(renderVerdict(red([finding])))
  const green = renderVerdict({ ...red([]), status: 'passed' }, { colour: true })
  expect(green.startsWith('\u001b[32m✓ ')).toBe(true)
})
