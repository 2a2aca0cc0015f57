import { expect, test } from 'vitest'
import { renderRead, renderWrite } from '../src/render.ts'

test('the last line brings the end-of-file footer', () => {
  expect(renderRead('/w/a', 1, { lines: ['x', ''], total: 2, capped: false })).toBe(
    '<path>/w/a</path>\n<type>file</type>\n<content>\n1: x\n2: \n\n(End of file - total 2 lines)\n</content>',
  )
})

test('a window that reaches the end has it too, and counts from its offset', () => {
  expect(renderRead('/w/a', 9, { lines: ['x', 'y'], total: 10, capped: false })).toBe(
    '<path>/w/a</path>\n<type>file</type>\n<content>\n9: x\n10: y\n\n(End of file - total 10 lines)\n</content>',
  )
})

test('a window before the end says how to go on', () => {
  expect(renderRead('/w/a', 3, { lines: ['x', 'y'], total: 5, capped: false })).toBe(
    '<path>/w/a</path>\n<type>file</type>\n<content>\n3: x\n4: y\n\n(Showing lines 3-4 of 5. Use offset=5 to continue.)\n</content>',
  )
})

test('so does one that the byte cap ended', () => {
  expect(renderRead('/w/a', 3, { lines: ['x', 'y'], total: 5, capped: true })).toBe(
    '<path>/w/a</path>\n<type>file</type>\n<content>\n3: x\n4: y\n\n(Output capped. Showing lines 3-4. Use offset=5 to continue.)\n</content>',
  )
})

test('a cut line that is the last one ends the file: there is no offset to go on with', () => {
  expect(renderRead('/w/a', 1, { lines: ['x'], total: 1, capped: true })).toContain(
    '\n1: x\n\n(End of file - total 1 lines)\n',
  )
})

test('a file without lines is its footer alone', () => {
  expect(renderRead('/w/a', 1, { lines: [], total: 0, capped: false })).toBe(
    '<path>/w/a</path>\n<type>file</type>\n<content>\n(End of file - total 0 lines)\n</content>',
  )
})

test('a write says whether the file is new', () => {
  const of = (text: string): string =>
    `<path>/w/a</path>\n<type>file</type>\n<content>\n${text}\n</content>`
  expect(renderWrite('/w/a', false)).toBe(of('Created file'))
  expect(renderWrite('/w/a', true)).toBe(of('Updated file'))
})
