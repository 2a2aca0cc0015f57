import { expect, it } from 'vitest'
import { chooseComposition } from '../src/index.ts'

const config = new URL('file:///live.yml')
const snapshotConfig = new URL('file:///snapshot.yml')

it.each([undefined, '', 'record'])('is the live one for %j', (mode) => {
  expect(chooseComposition({ config, snapshotConfig }, mode)).toBe(config)
})

it('is the other one for replay, and never the live one in its place', () => {
  expect(chooseComposition({ config, snapshotConfig }, 'replay')).toBe(snapshotConfig)
  expect(() => chooseComposition({ config }, 'replay')).toThrow(
    expect.objectContaining({
      code: 'NO_SNAPSHOT_CONFIG',
      message: expect.stringContaining('give its runner a snapshotConfig'),
    }),
  )
})

it('refuses what it does not know', () => {
  expect(() => chooseComposition({ config, snapshotConfig }, 'Replay')).toThrow(
    expect.objectContaining({
      code: 'BAD_SNAPSHOT_MODE',
      message: 'DSH_SNAPSHOT must be "replay" or "record", got "Replay"; unset it for a live run',
    }),
  )
})
