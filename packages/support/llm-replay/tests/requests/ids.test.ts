import { expect, it } from 'vitest'
import { IdBook } from '../../src/requests/ids.ts'

const uuid = (last: number): string => `0f8fad5b-d9cb-469f-a165-7086772895${last}`
const [A, B, C] = [uuid(10), uuid(11), uuid(12)]

it('case R13: takes any id where a recorded one stands, and the same one everywhere', () => {
  const ids = new IdBook()
  expect(ids.agree('made {{id.1}}, {{id.2}}', `made ${A}, ${B}`)).toBe(true)
  expect(ids.agree('then {{id.1}}', `then ${A.toUpperCase()}`)).toBe(true)
  expect(ids.agree('then {{id.1}}', `then ${B}`)).toBe(false)
  expect(ids.agree('then {{id.1}}', `then ${C}`)).toBe(false)
  expect(ids.agree('then {{id.3}}', `then ${A}`)).toBe(false)
  expect(ids.agree('then {{id.3}}', `then ${C}`)).toBe(true)
})

it('knows within one text, too, that ids go together one to one', () => {
  expect(new IdBook().agree('{{id.1}} {{id.1}}', `${A} ${B}`)).toBe(false)
  expect(new IdBook().agree('{{id.1}} {{id.2}}', `${A} ${A}`)).toBe(false)
  expect(new IdBook().agree('{{id.1}} {{id.1}}', `${A} ${A}`)).toBe(true)
})

it('notes nothing of texts that do not agree', () => {
  const ids = new IdBook()
  expect(ids.agree('{{id.1}} a', `${A} b`)).toBe(false)
  expect(ids.agree('{{id.1}} {{id.2}}', `${A} {{id.3}}`)).toBe(false)
  expect(ids.agree('{{id.2}}', A)).toBe(true)
})

it.each([
  ['{{id.1}}', 'x'],
  ['{{id.1}}', ''],
  ['x', A],
  ['{{id.1}}', `${A} ${B}`],
  ['{{id.1}}{{id.2}}', A],
  ['{{id.1}}', '{{id.2}}'],
  [A, '{{id.1}}'],
])('does not take %j for %j', (recorded, live) => {
  expect(new IdBook().agree(recorded, live)).toBe(false)
})

it.each([
  ['{{session}}', A],
  ['{{sessionId}}', A],
  ['{{session.12}}', A],
  [B, A],
  // What the model said it says again, and that is of no live session.
  [`{{id.1}} {{id.1}}`, `{{id.1}} ${A}`],
  [`${B} {{id.1}}`, `${B} ${A}`],
])('takes %j for %j', (recorded, live) => {
  expect(new IdBook().agree(recorded, live)).toBe(true)
})

it('knows sessions from the start, and names them in a live text', () => {
  const ids = new IdBook()
  ids.pair('{{session.1}}', A)
  ids.pair(B.toUpperCase(), C)
  expect(ids.agree('{{session}}', A)).toBe(false)
  expect(ids.agree(B, C)).toBe(true)
  expect(ids.inRecorded(`${A.toUpperCase()}, ${C}, ${uuid(13)}, {{id.7}}`)).toBe(
    `{{session.1}}, ${B}, ${uuid(13)}, {{id.7}}`,
  )
})
