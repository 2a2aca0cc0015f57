import {
  type ArgsIssue,
  type ArgsSchema,
  invalidArgs,
  parametersOf,
  parseArgs,
  ToolError,
} from 'dsh-tools'
import { expect, test } from 'vitest'

/** Stands for a validator: what it finds is given. */
function schemaWith(issues: readonly ArgsIssue[]): ArgsSchema<unknown> {
  return {
    safeParse: (value) =>
      issues.length === 0
        ? { success: true, data: { checked: value } }
        : { success: false, error: { issues } },
    toJSONSchema: ({ io }) => ({ $schema: 'https://example.test', type: 'object', title: io }),
  }
}

test('gives back what the schema made of the arguments', () => {
  expect(parseArgs('read', schemaWith([]), 1)).toEqual({ checked: 1 })
})

test('names the tool and every offending place', () => {
  const schema = schemaWith([
    { path: [], message: 'expected object' },
    { path: ['file_path'], message: 'expected string' },
    { path: ['todos', 2, 'status', 'x'], message: 'bad option' },
    { path: [0, 1], message: 'bad item' },
  ])
  expect(() => parseArgs('read', schema, 1)).toThrow(
    expect.objectContaining({
      code: 'INVALID_ARGS',
      message:
        'invalid arguments for "read": arguments: expected object; file_path: expected string; ' +
        'todos[2].status.x: bad option; [0][1]: bad item',
    }),
  )
})

test('invalidArgs makes the same kind of error for what a schema cannot say', () => {
  const error = invalidArgs('bash', 'workdir: "/x" is not a directory')
  expect(error).toBeInstanceOf(ToolError)
  expect(error.name).toBe('ToolError')
  expect(error.code).toBe('INVALID_ARGS')
  expect(error.message).toBe('invalid arguments for "bash": workdir: "/x" is not a directory')
})

test('offers the schema of the input, without $schema', () => {
  expect(parametersOf(schemaWith([]))).toEqual({ type: 'object', title: 'input' })
})
