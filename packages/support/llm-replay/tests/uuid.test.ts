import { expect, it } from 'vitest'
import { isUuid, UUID_PATTERN } from '../src/index.ts'

const ID = '0f8fad5b-d9cb-469f-a165-70867728950e'

it('knows a UUID, in either case, and nothing longer', () => {
  expect([ID, ID.toUpperCase()].map(isUuid)).toEqual([true, true])
  expect(['', `x${ID}`, `${ID}0`, ` ${ID}`, ID.slice(1)].map(isUuid)).toEqual([
    false,
    false,
    false,
    false,
    false,
  ])
})

it.each([
  [`a ${ID}.`, 1],
  [`\\n${ID}`, 1],
  [`\\u00e9${ID}`, 1],
  [`z${ID}`, 0],
  [`${ID}z`, 0],
  [`${ID}-${ID}`, 2],
])('finds those in %j that are no part of a word', (text, found) => {
  expect([...text.matchAll(new RegExp(UUID_PATTERN, 'g'))]).toHaveLength(found)
})
