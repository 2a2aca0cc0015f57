import { expect, test } from 'vitest'
import { fileDisplay } from '../src/args.ts'

test.each([undefined, null, 1, 'x', {}, { file_path: 1 }])('shows a call with %j', (args) => {
  expect(fileDisplay('Read', args)).toEqual({ title: 'Read' })
})

test('shows the path as the model gave it', () => {
  expect(fileDisplay('Edit', { file_path: './a' })).toEqual({ title: 'Edit ./a', paths: ['./a'] })
})
