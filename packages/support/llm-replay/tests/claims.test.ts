import { describe, expect, it } from 'vitest'
import { Claims } from '../src/claims.ts'
import { loadSessionScripts, type ReportRecord } from '../src/index.ts'
import { liveSession } from './helpers/agent.ts'
import { events, header, logText, steps, tempFolder } from './helpers/log.ts'

const folder = tempFolder()

function claims(name: string, fields: object) {
  const file = folder.write(name, logText(header(fields), events(steps('a', 'b'))))
  const written: ReportRecord[] = []
  const report = { write: (record: ReportRecord) => void written.push(record), close() {} }
  const refuse = (code: string): never => {
    throw new Error(code)
  }
  const session = liveSession('s', [], fields)
  const made = new Claims(loadSessionScripts({ file }), report, refuse, () => session)
  return { claims: made, session, written }
}

describe('Claims', () => {
  it('says nothing of a session that is made where no place decides', () => {
    const { claims: made, session, written } = claims('plain.jsonl', {})
    made.created(session)
    expect(written).toEqual([])
    expect(made.get('s')).toBeUndefined()
    expect(made.claim('s')).toMatchObject({ session: 's', lane: 0, made: 0, after: 0 })
    // What a report holds is what a reader finds: no key without a value.
    expect(written).toStrictEqual([{ event: 'bound', lane: 0, session: 's', rule: 'primary' }])
  })

  it('tells the lineage of a session that has one', () => {
    const { claims: made, session, written } = claims('placed.jsonl', { root: 0 })
    made.created(session)
    const bound = { event: 'bound', lane: 0, session: 's', rule: 'lineage', lineage: '0' }
    expect(written).toStrictEqual([bound])
    expect(made.get('s')).toMatchObject({ lane: 0, made: 0 })
  })
})
