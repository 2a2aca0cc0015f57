import { validateHeaderName, validateHeaderValue } from 'node:http'
import type { Json, JsonObject } from 'dsh-brand'
import { z } from 'zod'
import type {
  Cut,
  StatusAnswer,
  StreamAnswer,
  TextPattern,
  WireAnswer,
  WireScript,
} from '../types.ts'

const text = z.string()
const count = (min: number, max: number) => z.int().min(min).max(max)
const label = z.string().min(1).max(100)

const regex = text.superRefine((source, context) => {
  if (!holds(() => new RegExp(source))) {
    context.addIssue({ code: 'custom', message: 'not a regular expression' })
  }
})

const pattern: z.ZodType<TextPattern> = z.union(
  [text, z.strictObject({ contains: text.min(1) }), z.strictObject({ matches: regex })],
  { error: 'expected a text, {"contains": text} or {"matches": regular expression}' },
)

const when = z.strictObject({
  firstUser: pattern
    .describe("The text of the first user message; in a fork, the parent's.")
    .exactOptional(),
  lastUser: pattern.describe('The text of the last user message.').exactOptional(),
  lastToolResult: pattern
    .describe('The text of the last message, if it is the result of a tool.')
    .exactOptional(),
  turn: count(1, 10_000).describe('The number of user messages.').exactOptional(),
  step: count(1, 10_000)
    .describe('The number of assistant messages since the last user message, plus 1.')
    .exactOptional(),
  attempt: count(1, 1_000)
    .describe('Counts requests with the same lineage and messages, from 1: 2 is a retry.')
    .exactOptional(),
  lineage: pattern
    .describe('The value of the session header, by which identical siblings are told apart.')
    .exactOptional(),
})

const pieces = z.union([text, z.array(text)], { error: 'expected a text or a list of texts' })
const cut: z.ZodType<Cut> = z.union(
  [
    count(1, 1_000_000),
    z.strictObject({ size: count(1, 1_000_000), anywhere: z.boolean().exactOptional() }),
  ],
  { error: 'expected a size from 1, or {"size": size, "anywhere"?: boolean}' },
)
const CUT =
  'Code points per delta; {"size", "anywhere": true} counts UTF-16 units. Default: one delta per text.'
const gapMs = count(0, 60_000).describe('Milliseconds between two events.')

const usage = z
  .strictObject({
    prompt: count(0, 1e9).describe('All tokens of the request.'),
    cached: count(0, 1e9).describe('Those of `prompt` that a cache had.').exactOptional(),
    completion: count(0, 1e9).describe('All tokens of the answer.'),
    reasoning: count(0, 1e9).describe('Those of `completion` that are reasoning.').exactOptional(),
  })
  .refine((value) => (value.cached ?? 0) <= value.prompt, 'cached is part of prompt')
  .refine((value) => (value.reasoning ?? 0) <= value.completion, 'reasoning is part of completion')

const after = count(0, 1_000_000).describe(
  'How many events are out by then; the opening one and the finish count.',
)
const lingerMs = count(0, 60_000).describe(
  'How long the connection stays, in milliseconds, for the client to read. Default 100.',
)
const fault = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('cut'), after, lingerMs: lingerMs.exactOptional() }),
  z.strictObject({ kind: z.literal('hang'), after, name: label.exactOptional() }),
  z.strictObject({ kind: z.literal('hold'), after, name: label.exactOptional() }),
  z.strictObject({
    kind: z.literal('malformed'),
    after,
    // A line break would end the event, and the rest would be read as fields of their own.
    data: text.regex(/^[^\r\n]*$/u, 'expected one line').exactOptional(),
  }),
  z.strictObject({ kind: z.literal('no-done') }),
])

// Checked, but passed on as it came: a rebuilt object would lack keys such as `__proto__`.
const json = z.custom<Json>((value) => z.json().safeParse(value).success, 'expected JSON')
const jsonObject = z
  .custom<JsonObject>(
    (value) => z.record(text, z.json()).safeParse(value).success,
    'expected a JSON object',
  )
  .meta({ type: 'object' })

const call = z.strictObject({
  id: label.describe('Default: made from the rule, the lineage and the use.').exactOptional(),
  name: label.describe('The name of the tool.'),
  arguments: z
    .union([text, z.array(text), jsonObject], {
      error: 'expected an object, a text or a list of texts',
    })
    .describe('An object is written as JSON and cut; a text is sent as it is; a list as it is cut.')
    .exactOptional(),
})

/** An answer without `status`. */
export const stream: z.ZodType<StreamAnswer> = z.strictObject({
  reasoning: pieces
    .describe('What the model thinks: a text, or a list of texts, each one delta.')
    .exactOptional(),
  text: pieces
    .describe('What it says: a text, or a list of texts, each one delta.')
    .exactOptional(),
  toolCalls: z
    .array(call)
    .min(1)
    .max(100)
    .describe('The tools that it calls, in order.')
    .exactOptional(),
  finish: label.describe('The finish reason. Default: `tool_calls` or `stop`.').exactOptional(),
  usage: usage.describe('Token counts, for requests that ask for them.').exactOptional(),
  usageOn: z
    .enum(['finish', 'own'])
    .describe('On the finish event (the default), or on one of its own after it.')
    .exactOptional(),
  cut: cut.describe(CUT).exactOptional(),
  gapMs: gapMs.exactOptional(),
  keepAlive: count(0, 100).describe('Comment lines before the first event.').exactOptional(),
  fault: fault.describe('What goes wrong in the stream.').exactOptional(),
})

const headers = z.record(text, text).superRefine((record, context) => {
  for (const [name, value] of Object.entries(record)) {
    if (holds(() => validateHeaderName(name)) && holds(() => validateHeaderValue(name, value))) {
      continue
    }
    context.addIssue({ code: 'custom', path: [name], message: 'not a header that HTTP can carry' })
  }
  const names = Object.keys(record)
  const [wait, date] = ['retry-after', 'date'].map((wanted) =>
    names.find((name) => name.toLowerCase() === wanted),
  )
  if (wait === undefined || date !== undefined || !/^[A-Z]/i.test(record[wait] as string)) return
  const message =
    'a date is another wait with every recording: expected seconds, or a "date" header beside it'
  context.addIssue({ code: 'custom', path: [wait], message })
})

/** An answer with `status`. */
export const status: z.ZodType<StatusAnswer> = z.strictObject({
  status: count(200, 599).describe('Answers with an HTTP status instead of a stream.'),
  headers: headers
    .describe('By name; a `retry-after` date needs a `date` beside it.')
    .exactOptional(),
  body: json
    .describe('A text is sent as it is, anything else as JSON. Default: an error object.')
    .exactOptional(),
})

/**
 * Chosen by the presence of `status` instead of a union, whose errors would name both kinds of
 * answer and neither fault.
 */
export const answer: z.ZodType<WireAnswer> = z.unknown().transform((value, context): WireAnswer => {
  const isStatus = typeof value === 'object' && value !== null && 'status' in value
  const result = (isStatus ? status : stream).safeParse(value)
  if (result.success) return result.data
  context.issues.push(...result.error.issues.map((issue) => ({ ...issue, input: value }) as never))
  return z.NEVER
})

/** A script as it stands in a file. */
export const scriptSchema: z.ZodType<WireScript & { readonly $schema?: string }> = z.strictObject({
  $schema: text.describe('For editors alone.').exactOptional(),
  defaults: z
    .strictObject({
      cut: cut.describe(CUT).exactOptional(),
      gapMs: gapMs.exactOptional(),
      usage: usage.describe('Token counts, for requests that ask for them.').exactOptional(),
    })
    .describe('What holds for every streamed answer that does not say otherwise.')
    .exactOptional(),
  rules: z
    .array(
      z.strictObject({
        name: label.describe('Unique in the script; for messages and ids.').exactOptional(),
        when: when.describe('What a request has to show; all that is named must hold.'),
        answer,
        times: count(1, 1_000)
          .describe('How many requests it answers, no more and no fewer. Default 1.')
          .exactOptional(),
      }),
    )
    .max(10_000)
    .describe('Each request has to match exactly one of them; their order means nothing.'),
})

function holds(check: () => unknown): boolean {
  try {
    check()
    return true
  } catch {
    return false
  }
}
