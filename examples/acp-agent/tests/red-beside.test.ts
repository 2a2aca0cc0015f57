import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, onTestFinished } from 'vitest'
import { scenarioWith, screenOf } from './red-screen.ts'

describe.concurrent('beside the text', () => {
  it('the same stands in JSON, for programs', async ({ expect }) => {
    const { code, raw } = await screenOf('tool-result', ['tool-call-turn'], { flags: ['--json'] })
    expect(code).toBe(1)
    expect(raw.trimEnd()).not.toContain('\n')
    expect(JSON.parse(raw)).toMatchObject({
      format: 1,
      scenario: 'tool-call-turn',
      status: 'failed',
      cause: {
        kind: 'log-differs',
        lane: { lane: 0, file: 'session.jsonl', lineage: '0', boundBy: 'lineage' },
        call: 1,
        difference: {
          file: 'session.jsonl',
          eventType: 'tool/result',
          tool: 'bash',
          turn: 1,
          step: 1,
          path: 'data.content[1]',
          actual: '{"type":"text","text":"(took a moment)"}',
        },
      },
      accept: {
        mode: 'refresh',
        command: 'pnpm run test:snapshot:refresh tool-call-turn',
        alternative: { command: 'pnpm run test:snapshot:record tool-call-turn' },
      },
    })
  })

  it('the folder of the run is there, with all that was said and written', async ({ expect }) => {
    const temp = await mkdtemp(join(tmpdir(), 'dsh-red-kept-'))
    onTestFinished(() => rm(temp, { recursive: true }))
    const { raw } = await screenOf('tool-result', ['tool-call-turn'], { temp })
    const runDir = /^ {2}run {7}(.+)$/m.exec(raw)?.[1] ?? ''
    expect((await readdir(runDir)).sort()).toEqual([
      'cwd',
      'home',
      'normal',
      'report.jsonl',
      'sessions',
      'stderr.log',
      'stdout.jsonl',
      'verdict.json',
    ])
    expect(await readdir(join(runDir, 'normal'))).toEqual([
      'session.jsonl',
      'stdout.expected.jsonl',
    ])
    const verdict = JSON.parse(await readFile(join(runDir, 'verdict.json'), 'utf8'))
    expect(verdict).toMatchObject({ format: 1, runDir, cause: { kind: 'log-differs' } })
    const log = await readFile(join(runDir, 'normal/session.jsonl'), 'utf8')
    expect(log).toContain('(took a moment)')
  })

  it('several reds close with all of them, by what helps', async ({ expect }) => {
    const { code, text } = await screenOf('extra-update', [
      'handshake',
      'fs-read',
      'tool-call-turn',
    ])
    expect(code).toBe(1)
    expect(text.split('\n').at(-1)).toBe('2 passed, 1 failed, 0 skipped')
    const all = await screenOf('extra-call', ['text-turn', 'fs-read', 'handshake'])
    expect(all.text.split('\n').slice(-4)).toEqual([
      '✗ 2 red, by what makes them green if the new behaviour is wanted:',
      '  record    pnpm run test:snapshot:record text-turn',
      '  refresh   pnpm run test:snapshot:refresh fs-read',
      '1 passed, 2 failed, 0 skipped',
    ])
  })
})

describe.concurrent('refresh and record', () => {
  it('refresh says to re-record where another call is made, and writes nothing', async ({
    expect,
  }) => {
    const dir = await scenarioWith('text-turn')
    const before = await readdir(join(dir, 'text-turn'))
    const log = await readFile(join(dir, 'text-turn/session.jsonl'), 'utf8')
    const { code, text } = await screenOf('extra-call', ['text-turn'], { dir, mode: 'refresh' })
    expect(code).toBe(1)
    expect(text).toMatch(/^✗ text-turn: extra-call /)
    expect(text).toContain('  accept    pnpm run test:snapshot:record text-turn  (re-record: ')
    expect(text).toContain('\n  run       <tmp>/dsh-snapshot-*\n')
    expect(await readdir(join(dir, 'text-turn'))).toEqual(before)
    expect(await readFile(join(dir, 'text-turn/session.jsonl'), 'utf8')).toBe(log)
    await rm(dir, { recursive: true })
  })

  it('refresh accepts a tool that returns something else, and replay is green then', async ({
    expect,
  }) => {
    const dir = await scenarioWith('tool-call-turn')
    const asked = { dir, mode: 'refresh' } as const
    const { code, text } = await screenOf('tool-result', ['tool-call-turn'], asked)
    expect(text).toMatchInlineSnapshot(`
      "✓ tool-call-turn: 1 lane, 2 calls, 1 log compared, * ms
        wrote session.jsonl, stdout.expected.jsonl
      1 passed, 0 failed, 0 skipped"
    `)
    expect(code).toBe(0)
    expect((await screenOf('tool-result', ['tool-call-turn'], { dir })).code).toBe(0)
    await rm(dir, { recursive: true })
  })

  it('refresh refuses what differs from run to run', async ({ expect }) => {
    const dir = await scenarioWith('tool-call-turn')
    const { code, text } = await screenOf('varies', ['tool-call-turn'], { dir, mode: 'refresh' })
    await rm(dir, { recursive: true })
    expect(code).toBe(1)
    expect(text).toMatchInlineSnapshot(`
      "✗ tool-call-turn: what was to be written does not replay
      ✗ tool-call-turn: stdout-differs (1 finding)
        why       the client hears something else
        lane      0 (session.jsonl, lineage 0), bound by lineage, 2 of 2 calls served
        differs   stdout.expected.jsonl:8
        path      params.update.content.text
        expected  "took * ns"
        actual    "took * ns"
        accept    nothing to accept: what the agent says and writes differs from run to run; to steady it: in the
                  config a rule of "normalise"
        run       <tmp>/dsh-proof-*/dsh-snapshot-*
      0 passed, 1 failed, 0 skipped"
    `)
  })

  it('record refuses it too', async ({ expect }) => {
    const dir = await scenarioWith('tool-call-turn')
    const { code, text } = await screenOf('varies', ['tool-call-turn'], { dir, mode: 'record' })
    await rm(dir, { recursive: true })
    expect(code).toBe(1)
    expect(text).toMatchInlineSnapshot(`
      "✗ tool-call-turn: what was to be written does not replay
      ✗ tool-call-turn: stdout-differs (1 finding)
        why       the client hears something else
        lane      0 (session.jsonl, lineage 0), bound by lineage, 2 of 2 calls served
        differs   stdout.expected.jsonl:8
        path      params.update.content.text
        expected  "took * ns"
        actual    "took * ns"
        accept    nothing to accept: what the agent says and writes differs from run to run; to steady it: in the
                  config a rule of "normalise"
        run       <tmp>/dsh-proof-*/dsh-snapshot-*
        recording  <tmp>/dsh-snapshot-*
      0 passed, 1 failed, 0 skipped"
    `)
  })
})
