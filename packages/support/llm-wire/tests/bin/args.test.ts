import { expect, test } from 'vitest'
import { parseWireArgs, USAGE } from '../../src/bin/args.ts'

test('arguments are read', () => {
  expect(parseWireArgs(['wire.json'])).toEqual({ script: 'wire.json' })
  const all = ['--cwd', '/w', 's.json', '--session-header', 'x-lane', '--report', 'r.json']
  expect(parseWireArgs(all)).toEqual({
    script: 's.json',
    cwd: '/w',
    sessionHeader: 'x-lane',
    report: 'r.json',
  })
})

test.each<[string[], string]>([
  [[], 'expected one script, got 0'],
  [['a', 'b'], 'expected one script, got 2'],
  [['a', '--port', '1'], "Unknown option '--port'"],
])('%j is refused with the usage', (args, why) => {
  expect(() => parseWireArgs(args)).toThrow(
    expect.objectContaining({ code: 'BAD_USAGE', message: expect.stringContaining(why) }),
  )
  expect(() => parseWireArgs(args)).toThrow(USAGE)
})
