import { expect, it } from 'vitest'
import { visible } from '../../src/log/visible.ts'

it.each([
  ['a b', '"a b"'],
  ['目录 é 😀 "\n', '"目录 é 😀 \\"\\n"'],
  ['\uFEFF{', '"<U+FEFF>{"'],
  ['a\u00A0b\u200B', '"a<U+00A0>b<U+200B>"'],
  ['\u{E0001}', '"<U+E0001>"'],
])('shows %j as %s', (text, shown) => {
  expect(visible(text)).toBe(shown)
})
