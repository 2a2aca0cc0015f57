import { expect, it } from 'vitest'
import { parseInput } from '../../src/scenario/input.ts'

const parse = (value: unknown) => parseInput(JSON.stringify(value), 's/input.json')
const message = (value: unknown): string => {
  try {
    parse(value)
  } catch (error) {
    expect(error).toMatchObject({ code: 'BAD_INPUT' })
    return (error as Error).message
  }
  throw new Error('was accepted')
}
const steps = (...list: unknown[]) => ({ steps: list })

it('takes every op with all that it may say', () => {
  const input = {
    steps: [
      { op: 'initialize' },
      { op: 'initialize', terminalOutput: true },
      { op: 'newSession' },
      { op: 'newSessionExpectError' },
      { op: 'newSessionExpectError', additionalDirectories: ['/x'] },
      { op: 'prompt', text: '' },
      { op: 'promptExpectError', text: 'x' },
      { op: 'promptAndCancel', text: 'x' },
      { op: 'promptAndCancel', text: 'x', after: { update: 'tool_call', nth: 2 } },
      { op: 'promptAndCancel', text: 'x', after: { update: 'plan' } },
      { op: 'promptAndCancel', text: 'x', after: { file: 'a/started..txt' } },
      { op: 'cancel' },
      { op: 'loadSession' },
      { op: 'restart' },
    ],
    permissionAnswers: ['allow_once'],
    source: 'wire',
    timeoutMs: 3_600_000,
    tools: { bash: 'recorded', read: 'run', write: 'refuse' },
    requests: 'strict',
  }
  expect(parse(input)).toEqual(input)
})

it('is authored where it does not say', () => {
  expect(parse(steps({ op: 'initialize' }))).toEqual({
    steps: [{ op: 'initialize' }],
    source: 'authored',
  })
})

it('says what an editor has put into it unseen', () => {
  expect(() => parseInput('\uFEFF{}', 's/input.json')).toThrow(
    's/input.json:1:1: expected a value, not "<U+FEFF>", near "<U+FEFF>{}"; correct it there',
  )
  expect(() => parseInput('{"a":\u00A01}', 's/input.json')).toThrow(
    's/input.json:1:6: expected a value, not "<U+00A0>", near "{\\"a\\":<U+00A0>1}"; correct it there',
  )
})

it('says where it is not JSON', () => {
  expect(() => parseInput('{', 's/input.json')).toThrow(
    expect.objectContaining({
      code: 'BAD_INPUT',
      message: 's/input.json:1:2: the text ends too early, near "{"; correct it there',
    }),
  )
})

it.each([
  [
    steps({ op: 'initialize' }, { op: 'newSession' }, { op: 'promt', text: 'x' }),
    's/input.json: steps[2].op: unknown op "promt", did you mean "prompt"?',
  ],
  [
    steps({ op: 'zzz' }),
    's/input.json: steps[0].op: unknown op "zzz" (known: initialize, newSession, newSessionExpectError, prompt, promptExpectError, promptAndCancel, cancel, loadSession, restart)',
  ],
  [steps({ text: 'x' }), 's/input.json: steps[0].op: expected the name of an op'],
  [steps({ op: 3 }), 's/input.json: steps[0].op: expected the name of an op'],
  [
    { steps: [{ op: 'cancel' }], timeoutMS: 3 },
    's/input.json: timeoutMS: unknown key, did you mean "timeoutMs"?',
  ],
  [
    { steps: [{ op: 'cancel' }], zzz: 3 },
    's/input.json: zzz: unknown key (known: steps, permissionAnswers, source, timeoutMs, allowCommands, tools, requests)',
  ],
  [
    steps({ op: 'prompt', text: 'x', txt: 'y' }),
    's/input.json: steps[0].txt: unknown key, did you mean "text"?',
  ],
  [steps({ op: 'cancel', zzz: 1 }), 's/input.json: steps[0].zzz: unknown key (known: op)'],
  [
    steps({ op: 'promptAndCancel', text: 'x', after: { updat: 'y', update: 'y' } }),
    's/input.json: steps[0].after.updat: unknown key, did you mean "update"?',
  ],
  [
    { ...steps({ op: 'cancel' }), requests: 'stict' },
    's/input.json: requests: Invalid option: expected one of "strict"|"off"',
  ],
  [
    steps({ op: 'promptAndCancel', text: 'x', after: {} }),
    's/input.json: steps[0].after: expected either "update" or "file"',
  ],
  [
    steps({ op: 'promptAndCancel', text: 'x', after: { update: 'a', file: 'b' } }),
    's/input.json: steps[0].after: expected either "update" or "file"',
  ],
  [
    steps({ op: 'promptAndCancel', text: 'x', after: { file: 'b', nth: 1 } }),
    's/input.json: steps[0].after.nth: "nth" goes with "update" only',
  ],
  [
    steps({ op: 'promptAndCancel', text: 'x', after: { file: '/b' } }),
    's/input.json: steps[0].after.file: expected a path inside the cwd, relative to it',
  ],
  [
    steps({ op: 'promptAndCancel', text: 'x', after: { file: 'a/../../b' } }),
    's/input.json: steps[0].after.file: expected a path inside the cwd, relative to it',
  ],
])('names the place of a mistake: %j', (input, wanted) => {
  expect(message(input)).toBe(wanted)
})

it.each([
  [[], /^s\/input\.json: Invalid input: expected object, received array$/],
  [{}, /^s\/input\.json: steps: Invalid input/],
  [steps(), /^s\/input\.json: steps: Too small/],
  [steps({ op: 'prompt' }), /^s\/input\.json: steps\[0\]\.text: Invalid input: expected string/],
  [steps({ op: 'initialize', terminalOutput: 1 }), /steps\[0\]\.terminalOutput: .*boolean/],
  [
    steps({ op: 'newSessionExpectError', additionalDirectories: [''] }),
    /additionalDirectories\[0\]: Too small/,
  ],
  [steps({ op: 'promptAndCancel', text: '', after: { update: '' } }), /after\.update: Too small/],
  [steps({ op: 'promptAndCancel', text: '', after: { file: '' } }), /after\.file: Too small/],
  [
    steps({ op: 'promptAndCancel', text: '', after: { update: 'a', nth: 0 } }),
    /after\.nth: Too small/,
  ],
  [{ steps: [{ op: 'cancel' }], permissionAnswers: [''] }, /permissionAnswers\[0\]: Too small/],
  [{ steps: [{ op: 'cancel' }], source: 'live' }, /source: .*"api"\|"wire"\|"authored"/],
  [{ steps: [{ op: 'cancel' }], timeoutMs: 0 }, /timeoutMs: Too small/],
  [{ steps: [{ op: 'cancel' }], timeoutMs: 3_600_001 }, /timeoutMs: Too big/],
  [{ steps: [{ op: 'cancel' }], timeoutMs: 1.5 }, /timeoutMs: .*int/],
  [{ steps: [{ op: 'cancel' }], tools: { bash: 'no' } }, /tools\.bash: .*"run"\|"recorded"/],
])('refuses %j', (input, wanted) => {
  expect(message(input)).toMatch(wanted)
})

it('lists all mistakes at once', () => {
  expect(message({ steps: [{ op: 'promt' }, { op: 'prompt' }], sorce: 'api' }).split('\n')).toEqual(
    [
      's/input.json: steps[0].op: unknown op "promt", did you mean "prompt"?',
      expect.stringContaining('s/input.json: steps[1].text: '),
      's/input.json: sorce: unknown key, did you mean "source"?',
    ],
  )
})

it.each([
  ['{"steps":[{"op":"cancel"}],"tools":{"__proto__":"refuse"}}', 'tools.__proto__'],
  ['{"steps":[{"op":"cancel"}],"tools":{"constructor":"refuse"}}', 'tools.constructor'],
  ['{"steps":[{"op":"cancel","__proto__":{}}]}', 'steps[0].__proto__'],
])('refuses keys that JavaScript would hide: %s', (text, path) => {
  expect(() => parseInput(text, 's/input.json')).toThrow(
    `s/input.json: ${path}: such a key would vanish while the file is read; remove it`,
  )
})

it('refuses a key that stands twice, since only one of them would count', () => {
  const text = '{"steps":[{"op":"cancel"}],\n"tools":{"bash":"refuse","bash":"run"}}'
  expect(() => parseInput(text, 's/input.json')).toThrow(
    's/input.json:2:26: the key "bash" stands twice in one object',
  )
})

it('takes a $schema, which is for editors, and drops it', () => {
  expect(parse({ $schema: './x.json', steps: [{ op: 'cancel' }] })).toEqual({
    steps: [{ op: 'cancel' }],
    source: 'authored',
  })
  expect(message({ $schema: 3, steps: [{ op: 'cancel' }] })).toContain('$schema')
})
