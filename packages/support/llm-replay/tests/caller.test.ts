import { describe, expect, it } from 'vitest'
import { bindableLanes, liveCaller, unknownCaller } from '../src/caller.ts'
import { loadSessionScripts } from '../src/index.ts'
import { liveSession } from './helpers/agent.ts'
import { header, logText, sid, tempFolder } from './helpers/log.ts'

const folder = tempFolder()
const spawnedBy = { turn: 1, step: 1, call: 0, index: 0 }
const nothing = { place: undefined, lineage: undefined }

describe('liveCaller', () => {
  it('tells a session and its parents, with what places them', () => {
    const sessions = [
      liveSession('p', [], { root: 2 }),
      liveSession('c', [], { parentSession: sid('p'), spawnedBy }),
      liveSession('k', [], { parentSession: sid('c') }),
    ]
    const find = (id: string) => sessions.find((session) => session.id === id)
    expect(liveCaller(sessions[2]!, find, [], [])).toEqual({
      chain: [
        { session: 'k', ...nothing },
        { session: 'c', place: '0/1.1.0.0', lineage: '2/1.1.0.0' },
        { session: 'p', place: '2', lineage: '2' },
      ],
      known: true,
      whole: true,
    })
    expect(liveCaller(sessions[0]!, () => undefined, [], [])).toMatchObject({
      chain: [{ session: 'p', lineage: '2' }],
      whole: true,
    })
  })

  it('is whole where the last of its parents is a root, however many there are', () => {
    const sessions = ['k', 'c', 'b', 'p'].map((id, at, ids) => {
      const parent = ids[at + 1]
      return liveSession(id, [], parent === undefined ? {} : { parentSession: sid(parent) })
    })
    const find = (id: string) => sessions.find((session) => session.id === id)
    const wholes = sessions.map((session) => liveCaller(session, find, [], []).whole)
    expect(wholes).toEqual([true, true, true, true])
    const cut = (id: string) => (id === 'p' ? undefined : find(id))
    expect(liveCaller(sessions[0]!, cut, [], []).whole).toBe(false)
  })

  it('ends where a parent is not live', () => {
    const child = liveSession('c', [], { parentSession: sid('p'), spawnedBy })
    expect(liveCaller(child, () => undefined, [], [])).toMatchObject({
      chain: [
        { session: 'c', place: '0/1.1.0.0', lineage: undefined },
        { session: 'p', ...nothing },
      ],
      known: true,
      whole: false,
    })
  })

  it('ends where parents come round again, which only damaged logs do', () => {
    const a = liveSession('a', [], { parentSession: sid('b') })
    const b = liveSession('b', [], { parentSession: sid('a') })
    const { chain, whole } = liveCaller(a, (id) => (id === 'b' ? b : a), [], [])
    expect(chain.map(({ session }) => session)).toEqual(['a', 'b'])
    expect(whole).toBe(false)
  })

  it('of a session without a header tells its id', () => {
    const chain = [{ session: 's', ...nothing }]
    expect(unknownCaller('s')).toEqual({ chain, known: false, whole: false })
  })
})

describe('bindableLanes', () => {
  it('tells parents by lane, and no place under a parent that was not recorded', () => {
    const write = (name: string, fields: object): string =>
      folder.write(name, logText({ ...header(), ...fields }, []))
    const file = write('p', { id: 'p', parentSession: 'elsewhere', spawnedBy })
    const c = write('c', { id: 'c', parentSession: 'p', spawnedBy })
    expect(bindableLanes(loadSessionScripts({ file, childFiles: [c] }))).toEqual([
      { calls: 0, parent: undefined, child: true, ...nothing },
      { calls: 0, parent: 0, child: true, place: '0/1.1.0.0', lineage: undefined },
    ])
    const top = write('r', { id: 'p', root: 0 })
    expect(bindableLanes(loadSessionScripts({ file: top, childFiles: [c] }))).toEqual([
      { calls: 0, parent: undefined, child: false, place: '0', lineage: '0' },
      { calls: 0, parent: 0, child: true, place: '0/1.1.0.0', lineage: '0/1.1.0.0' },
    ])
  })
})
