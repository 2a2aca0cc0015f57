import { appendFileSync, existsSync, readFileSync, statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ReplayError } from '../src/index.ts'
import { noReport, openReport } from '../src/report.ts'
import { readReport, tempFolder } from './helpers/log.ts'

const folder = tempFolder()
const served = (call: number) => ({ event: 'served', lane: 0, session: 'é', call }) as const

describe('openReport', () => {
  it('is there at once, for the user only, and appends whole lines as they come', () => {
    const file = folder.write('r.jsonl', '')
    const report = openReport(file)
    report.write(served(1))
    expect(readFileSync(file, 'utf8')).toBe('{"event":"served","lane":0,"session":"é","call":1}\n')
    appendFileSync(file, '{"event":"left","lane":1,"served":0,"left":0}\n')
    report.write(served(2))
    report.close()
    expect(readReport(file).map(({ event }) => event)).toEqual(['served', 'left', 'served'])
  })

  it('makes the file', () => {
    const file = folder.path('new.jsonl')
    openReport(file).close()
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(existsSync(file)).toBe(true)
  })

  it('writes nothing after it was closed, twice even', () => {
    const file = folder.path('closed.jsonl')
    const report = openReport(file)
    report.close()
    report.close()
    report.write(served(1))
    expect(readReport(file)).toEqual([])
  })

  it('case R7: says loudly that it cannot write', () => {
    const file = folder.path('no/such/folder.jsonl')
    expect(() => openReport(file)).toThrow(ReplayError)
    expect(() => openReport(file)).toThrow(`llm-replay: cannot write the report ${file}: ENOENT`)
  })

  it.runIf(existsSync('/dev/full'))('case R7: says loudly that a record was not written', () => {
    const report = openReport('/dev/full')
    expect(() => report.write(served(1))).toThrow(
      'llm-replay: cannot write the report /dev/full: ENOSPC',
    )
    report.close()
  })

  it('case R7: says loudly that a record was written in part', () => {
    const file = folder.path('part.jsonl')
    const report = openReport(file, () => 7)
    expect(() => report.write(served(1))).toThrow(
      new ReplayError('REPORT_FAILED', `cannot write the report ${file}: wrote 7 of 52 bytes`),
    )
    report.close()
  })
})

describe('noReport', () => {
  it('takes everything and keeps nothing', () => {
    noReport.write(served(1))
    noReport.close()
    expect(noReport).toEqual({ write: expect.any(Function), close: expect.any(Function) })
  })
})
