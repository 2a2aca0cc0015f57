import { validateHeaderName, validateHeaderValue } from 'node:http'
import type { Json, JsonObject } from 'dsh-brand'
import { z } from 'zod'
import type { Cut, StreamAnswer, TextPattern, WireAnswer, WireScript } from '../types.ts'

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
  firstUser: pattern.exactOptional(),
  lastUser: pattern.exactOptional(),
  lastToolResult: pattern.exactOptional(),
  turn: count(1, 10_000).exactOptional(),
  step: count(1, 10_000).exactOptional(),
  attempt: count(1, 1_000).exactOptional(),
  lineage: pattern.exactOptional(),
})

const pieces = z.union([text, z.array(text)], { error: 'expected a text or a list of texts' })
const cut: z.ZodType<Cut> = z.union(
  [
    count(1, 1_000_000),
    z.strictObject({ size: count(1, 1_000_000), anywhere: z.boolean().exactOptional() }),
  ],
  { error: 'expected a size from 1, or {"size": size, "anywhere"?: boolean}' },
)
const gapMs = count(0, 60_000)

const usage = z
  .strictObject({
    prompt: count(0, 1e9),
    cached: count(0, 1e9).exactOptional(),
    completion: count(0, 1e9),
    reasoning: count(0, 1e9).exactOptional(),
  })
  .refine((value) => (value.cached ?? 0) <= value.prompt, 'cached is part of prompt')
  .refine((value) => (value.reasoning ?? 0) <= value.completion, 'reasoning is part of completion')

const after = count(0, 1_000_000)
const fault = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('cut'), after, lingerMs: gapMs.exactOptional() }),
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
const jsonObject = z.custom<JsonObject>(
  (value) => z.record(text, z.json()).safeParse(value).success,
  'expected a JSON object',
)

const call = z.strictObject({
  id: label.exactOptional(),
  name: label,
  arguments: z
    .union([text, z.array(text), jsonObject], {
      error: 'expected an object, a text or a list of texts',
    })
    .exactOptional(),
})

const stream: z.ZodType<StreamAnswer> = z.strictObject({
  reasoning: pieces.exactOptional(),
  text: pieces.exactOptional(),
  toolCalls: z.array(call).min(1).max(100).exactOptional(),
  finish: label.exactOptional(),
  usage: usage.exactOptional(),
  usageOn: z.enum(['finish', 'own']).exactOptional(),
  cut: cut.exactOptional(),
  gapMs: gapMs.exactOptional(),
  keepAlive: count(0, 100).exactOptional(),
  fault: fault.exactOptional(),
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

const status = z.strictObject({
  status: count(200, 599),
  headers: headers.exactOptional(),
  body: json.exactOptional(),
})

/**
 * Chosen by the presence of `status` instead of a union, whose errors would name both kinds of
 * answer and neither fault.
 */
const answer: z.ZodType<WireAnswer> = z.unknown().transform((value, context): WireAnswer => {
  const isStatus = typeof value === 'object' && value !== null && 'status' in value
  const result = (isStatus ? status : stream).safeParse(value)
  if (result.success) return result.data
  context.issues.push(...result.error.issues.map((issue) => ({ ...issue, input: value }) as never))
  return z.NEVER
})

export const scriptSchema: z.ZodType<WireScript> = z.strictObject({
  defaults: z
    .strictObject({
      cut: cut.exactOptional(),
      gapMs: gapMs.exactOptional(),
      usage: usage.exactOptional(),
    })
    .exactOptional(),
  rules: z
    .array(
      z.strictObject({
        name: label.exactOptional(),
        when,
        answer,
        times: count(1, 1_000).exactOptional(),
      }),
    )
    .max(10_000),
})

function holds(check: () => unknown): boolean {
  try {
    check()
    return true
  } catch {
    return false
  }
}
