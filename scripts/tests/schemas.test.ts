import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkConfig } from '../../packages/support/acp-snapshot/src/project/schema.ts'
import { parseInput } from '../../packages/support/acp-snapshot/src/scenario/input.ts'
import { parseOverride } from '../../packages/support/llm-replay/src/override.ts'
import { parseWireScript } from '../../packages/support/llm-wire/src/index.ts'
import { shippedSchemas } from '../lib/schemas.mjs'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const SUPPORT = join(ROOT, 'packages/support')

describe('the schemas that are shipped', () => {
  it('are what the code checks and what it prints; `pnpm schemas` writes them', async () => {
    const load = (module: string): Promise<unknown> =>
      import(join(SUPPORT, `${module.replace('#', '/src/')}.ts`))
    const shipped = await shippedSchemas(ROOT, load)
    expect(committed('packages/support/*/schemas/*').toSorted()).toEqual(
      [...shipped.keys()].toSorted(),
    )
    for (const [path, text] of shipped) {
      expect([path, readFileSync(join(ROOT, path), 'utf8')]).toEqual([path, text])
    }
  })

  it.each(['acp-snapshot', 'llm-replay', 'llm-wire'])('can be imported from %s', (name) => {
    const manifest = JSON.parse(readFileSync(join(SUPPORT, name, 'package.json'), 'utf8')) as {
      exports: Record<string, unknown>
      files: string[]
    }
    expect(manifest.files).toContain('schemas')
    for (const file of readdirSync(join(SUPPORT, name, 'schemas'))) {
      expect(manifest.exports[`./${file}`]).toBe(`./schemas/${file}`)
    }
  })
})

interface Kind {
  readonly schema: string
  /** Which committed files are of this kind. */
  readonly files: readonly string[]
  /** One that says what those do not. */
  readonly more: unknown
  /** The code's own check. Throws where a text is not good. */
  readonly check: (text: string) => unknown
  /** What the check says of that which no schema can see. */
  readonly beyond: RegExp
}

const stopped = { type: 'finish', reason: { kind: 'stop' } }

const KINDS: Readonly<Record<string, Kind>> = {
  'input.json': {
    schema: 'input.schema.json',
    files: committed('examples/**/input.json'),
    more: {
      $schema: 'x',
      steps: [
        { op: 'initialize', terminalOutput: true },
        { op: 'newSessionExpectError', additionalDirectories: ['/x'] },
        { op: 'promptAndCancel', text: 'x', after: { update: 'plan', nth: 2 } },
        { op: 'promptAndCancel', text: 'x', after: { file: 'a/started..txt' } },
      ],
      permissionAnswers: ['allow_once'],
      allowCommands: ['curl'],
      source: 'wire',
      timeoutMs: 3_600_000,
      tools: { bash: 'recorded' },
      requests: 'strict',
    },
    check: (text) => parseInput(text, 'f'),
    beyond: /such a key would vanish|stands twice/,
  },
  config: {
    schema: 'config.schema.json',
    files: committed('examples/**/dsh-snapshot.config.json'),
    more: {
      $schema: 'x',
      command: ['node', 'agent.js'],
      scenariosDir: 'snaps',
      env: { A: '' },
      modelEnv: { key: 'LLM_KEY', baseUrl: 'LLM_URL' },
      normalise: [{ pattern: '[0-9]+', token: '{{n}}' }],
      timeoutMs: 5,
      tools: { web: 'recorded' },
      concurrency: 2,
      invocation: 'npm run snap',
    },
    check: (text) => checkConfig(JSON.parse(text), 'f'),
    beyond: /normalise\[\d+\]\.(?:pattern|token): (?!Invalid input|Too small)/,
  },
  'wire.json': {
    schema: 'wire.schema.json',
    files: committed('examples/**/wire.json'),
    more: {
      $schema: 'x',
      defaults: { cut: 3, gapMs: 5, usage: { prompt: 1, completion: 2 } },
      rules: [
        {
          name: 'all',
          when: { firstUser: 'a', lastUser: { contains: 'b' }, lastToolResult: { matches: 'c' } },
          answer: {
            reasoning: 'r',
            text: ['t', ''],
            toolCalls: [
              { id: 'x', name: 'bash', arguments: { command: ['ls', 1, null] } },
              { name: 'edit', arguments: ['{', '}'] },
            ],
            finish: 'length',
            usage: { prompt: 10, cached: 10, completion: 5, reasoning: 5 },
            usageOn: 'own',
            cut: { size: 1, anywhere: true },
            gapMs: 0,
            keepAlive: 2,
            fault: { kind: 'cut', after: 1, lingerMs: 5 },
          },
          times: 2,
        },
        {
          when: { turn: 1, step: 2, attempt: 3, lineage: '0/1' },
          answer: { status: 429, headers: { 'Retry-After': '7' }, body: { error: [true] } },
        },
      ],
    },
    check: (text) => parseWireScript(text, 'f'),
    beyond:
      /not a regular expression|is part of|not a header|a date is another wait|(?:name|when"?) (?:of|as) rules/,
  },
  sidecar: {
    schema: 'override.schema.json',
    files: committed('examples/**/replay.override*.json'),
    more: {
      $schema: 'x',
      patches: [
        { at: 0, entry: { kind: 'chunks', chunks: [stopped] } },
        {
          at: 1,
          entry: {
            kind: 'throw',
            chunks: [
              { type: 'block-start', index: 0, blockType: 'tool-call' },
              { type: 'tool-call-delta', index: 0, id: 'c', name: 'bash', argumentsDelta: '{' },
              { type: 'reasoning-delta', index: 1, text: 'r' },
              { type: 'block-end', index: 1, block: { type: 'reasoning', text: 'r' } },
              {
                type: 'block-end',
                index: 0,
                block: { type: 'tool-call', id: 'c', name: 'bash', arguments: '{' },
              },
              { type: 'usage', usage: { inputTokens: 1, outputTokens: 2 } },
            ],
            message: 'm',
            code: 'c',
            status: 500,
            retryAfterMs: 5,
          },
        },
        { at: 2, entry: { kind: 'hang', chunks: [] } },
      ],
    },
    check: (text) => parseOverride(text, 'f'),
    beyond: /nothing may follow "finish"|and so is patch/,
  },
}

function committed(pattern: string): string[] {
  const listed = execFileSync('git', ['ls-files', '-z', `:(glob)${pattern}`], { cwd: ROOT })
  return String(listed).split('\0').filter(Boolean)
}

// Strict in what it knows, and content with whole schemas that say types and keys once.
const validators = new Ajv2020({
  strict: true,
  strictTypes: false,
  strictRequired: false,
  strictTuples: false,
})
function accepts({ schema }: Kind, value: unknown): boolean {
  const file = join(SUPPORT, 'acp-snapshot/schemas', schema)
  const known = validators.getSchema(file)
  if (known !== undefined) return known(value) as boolean
  return validators
    .addSchema(JSON.parse(readFileSync(file, 'utf8')) as object, file)
    .validate(file, value)
}

/** What the check says; nothing where it is content. */
function complaint(kind: Kind, value: unknown): string | undefined {
  try {
    kind.check(JSON.stringify(value))
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/** Schema and check have to say the same, but for what a schema cannot see. */
function disagreement(kind: Kind, value: unknown): string | undefined {
  const said = complaint(kind, value)
  if (accepts(kind, value) === (said === undefined)) return undefined
  if (said === undefined) return `the schema alone refuses ${JSON.stringify(value)}`
  return kind.beyond.test(said) ? undefined : `the schema takes ${JSON.stringify(value)}: ${said}`
}

type Edit = { readonly at: number; readonly what: 'drop' | 'put' | 'add'; readonly value: unknown }

/** All places of a value at which something can be changed: holder and key. */
function placesOf(value: unknown): [Record<string, unknown>, string][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [
    [value as Record<string, unknown>, key] as [Record<string, unknown>, string],
    ...placesOf(inner),
  ])
}

/** A copy that differs in some places, which need not be sound any longer. */
function edited(value: unknown, edits: readonly Edit[]): unknown {
  const copy = { whole: structuredClone(value) }
  for (const { at, what, value: given } of edits) {
    // It may be changed by a later edit, or come to stand in itself, and is the generator's own.
    const put = structuredClone(given)
    const places = placesOf(copy)
    const [holder, key] = places[at % places.length] as [Record<string, unknown>, string]
    const inner = holder[key]
    if (what === 'put') holder[key] = put
    else if (what === 'add' && typeof inner === 'object' && inner !== null) {
      if (Array.isArray(inner)) inner.push(put)
      else Object.assign(inner, { [WORDS[at % WORDS.length] as string]: put })
    } else if (what === 'drop' && key !== 'whole') {
      if (Array.isArray(holder)) holder.splice(Number(key), 1)
      else delete holder[key]
    }
  }
  return copy.whole
}

/** Keys that mean something somewhere. */
const WORDS = [
  'op text after nth file update tools timeoutMs source $schema status headers body fault kind',
  'cut times name when usage chunks type index block reason at entry patches message code',
].flatMap((words) => words.split(' '))
const TEXTS = 'strict wire prompt finish hang throw text tool-call bash x /x a/../b'.split(' ')
const SCALARS = [null, true, 0, 1, -1, 1.5, 2 ** 53, 400, '', 'a b', 'a\nb']
/** Values that do. */
const VALUES = [
  ...TEXTS,
  ...SCALARS,
  [],
  {},
  ['x'],
  { file: 'x' },
  { update: 'x', nth: 2 },
  { contains: 'x' },
  { status: 500 },
  { kind: 'hang' },
  { kind: 'cut', after: 1 },
  { type: 'finish', reason: { kind: 'stop' } },
]

/** How a value is changed, several times over. */
const edits: fc.Arbitrary<Edit[]> = fc.array(
  fc.record({
    at: fc.nat(),
    what: fc.constantFrom('drop', 'put', 'add'),
    value: fc.constantFrom<unknown>(...VALUES),
  }),
  { minLength: 1, maxLength: 3 },
)

describe.each(Object.entries(KINDS))('the schema of a %s', (_name, kind) => {
  const values: unknown[] = kind.files.map((file) =>
    JSON.parse(readFileSync(join(ROOT, file), 'utf8')),
  )
  const seeds = [kind.more, ...values]

  it('takes every committed one, as the check does, and one that says more', () => {
    expect(values.length).toBeGreaterThan(0)
    for (const [index, value] of seeds.entries()) {
      expect([index, complaint(kind, value), accepts(kind, value)]).toEqual([
        index,
        undefined,
        true,
      ])
    }
  })

  it('agrees with the check, however one is changed', () => {
    let refused = 0
    // Half of them from the one that says more.
    const seed = fc.oneof(fc.constant(0), fc.nat())
    fc.assert(
      fc.property(seed, edits, (at, changes) => {
        const value = edited(seeds[at % seeds.length], changes)
        if (complaint(kind, value) !== undefined) refused += 1
        expect(disagreement(kind, value)).toBeUndefined()
      }),
      { numRuns: 400 },
    )
    expect(refused).toBeGreaterThan(40)
  })
})

const scripted = (answer: unknown): unknown => ({ rules: [{ when: {}, answer }] })

describe('what a schema cannot see is left to the check', () => {
  it.each([
    ['input.json', { steps: [{ op: 'cancel' }], tools: { constructor: 'run' } }],
    ['config', { command: ['x'], normalise: [{ pattern: '(', token: '{{x}}' }] }],
    ['wire.json', { rules: [{ when: { lastUser: { matches: '(' } }, answer: {} }] }],
    ['wire.json', scripted({ usage: { prompt: 1, cached: 2, completion: 0 } })],
    ['wire.json', scripted({ status: 500, headers: { 'a b': 'x' } })],
    ['wire.json', { rules: [1, 2].map(() => ({ when: {}, answer: {} })) }],
    [
      'sidecar',
      [{ kind: 'chunks', chunks: [stopped, { type: 'text-delta', index: 0, text: '' }] }],
    ],
    ['sidecar', { patches: [1, 1].map((at) => ({ at, entry: { kind: 'hang' } })) }],
  ])('%s: %j', (name, value) => {
    const kind = KINDS[name] as Kind
    expect(accepts(kind, value)).toBe(true)
    expect(complaint(kind, value)).toMatch(kind.beyond)
  })
})

describe('what a schema refuses with the check', () => {
  const step = (after: unknown): unknown => ({
    steps: [{ op: 'promptAndCancel', text: '', after }],
  })
  it.each([
    ['input.json', {}],
    ['input.json', { steps: [] }],
    ['input.json', step({})],
    ['input.json', step({ update: 'a', file: 'b' })],
    ['input.json', step({ file: 'b', nth: 1 })],
    ['input.json', step({ file: '/b' })],
    ['input.json', step({ file: 'a/..' })],
    ['input.json', step({ file: '../a' })],
    ['config', { comand: ['x'] }],
    ['config', { command: [] }],
    ['config', { command: ['x'], modelEnv: { key: 'a b', baseUrl: 'B' } }],
    ['config', { command: ['x'], modelEnv: { key: [], baseUrl: 'B' } }],
    ['config', { command: ['x'], modelEnv: { key: ['A', 'a b'], baseUrl: 'B' } }],
    ['config', { command: ['x'], tools: { bash: 'never' } }],
    ['wire.json', { rules: [{ when: {} }] }],
    ['wire.json', scripted(null)],
    ['wire.json', scripted({ status: 500, text: 'x' })],
    ['wire.json', scripted({ status: 199 })],
    ['wire.json', scripted({ toolCalls: [{ name: 'x', arguments: 1 }] })],
    ['wire.json', scripted({ fault: { kind: 'malformed', after: 0, data: 'a\nb' } })],
    ['sidecar', {}],
    ['sidecar', { patches: [] }],
    ['sidecar', [{ kind: 'stall' }]],
    ['sidecar', [{ kind: 'chunks', chunks: [] }]],
    ['sidecar', [{ kind: 'hang', chunks: [stopped, stopped] }]],
    ['sidecar', [{ kind: 'hang', chunks: [{ type: 'text-delta', index: 0 }] }]],
    ['sidecar', [{ kind: 'throw', message: 'm', code: 'c', status: -1 }]],
  ])('%s: %j', (name, value) => {
    const kind = KINDS[name] as Kind
    expect(complaint(kind, value)).toBeDefined()
    expect(accepts(kind, value)).toBe(false)
  })
})

it('names files as people do', () => {
  const used = new Set(Object.values(KINDS).map(({ schema }) => schema))
  for (const file of committed('packages/support/acp-snapshot/schemas/*')) {
    // What programs read is tested where it is printed.
    expect(used.has(basename(file)) || basename(file) === 'result.schema.json').toBe(true)
  }
})
