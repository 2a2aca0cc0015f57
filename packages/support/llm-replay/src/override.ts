import { messageOf } from 'dsh-brand'
import type { StreamChunk } from 'dsh-llm'
import { z } from 'zod'
import { chunkProblem } from './chunk.ts'
import { ReplayError } from './error.ts'
import { isRecord } from './json.ts'
import { count } from './lane-state.ts'
import type { Patch, ReplayEntry } from './types.ts'

/** A chunk, checked by hand. */
export const chunk: z.ZodType<StreamChunk> = z.custom<StreamChunk>().check((context) => {
  const message = chunkProblem(context.value)
  if (message !== undefined) context.issues.push({ code: 'custom', input: context.value, message })
})

/** As JSON Schema has it, which does not know what comes last. */
const atMostOneFinish = {
  contains: { type: 'object', required: ['type'], properties: { type: { const: 'finish' } } },
  minContains: 0,
  maxContains: 1,
}
/** Replay serves what it is given: an agent would go on behind an end, or without one. */
const chunks = z
  .array(chunk)
  .check((context) => {
    const at = context.value.findIndex(isFinish)
    if (at < 0 || at === context.value.length - 1) return
    const message = `nothing may follow "finish", and ${context.value.length - 1 - at} more come`
    context.issues.push({ code: 'custom', input: context.value, message, path: [at + 1] })
  })
  .meta(atMostOneFinish)
const answer = chunks
  .check((context) => {
    if (context.value.some(isFinish)) return
    const message =
      'expected "finish" at the end; for an answer that was cut, say "throw" or "hang"'
    context.issues.push({ code: 'custom', input: context.value, message })
  })
  .meta({ ...atMostOneFinish, minContains: 1, description: 'A whole answer; ends in `finish`.' })

const entry: z.ZodType<ReplayEntry> = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('chunks'), chunks: answer }),
  z.strictObject({
    kind: z.literal('throw'),
    chunks: chunks.describe('What came before the error.').default([]),
    message: z.string().describe("The error's message."),
    code: z.string().describe("The error's code, as RATE_LIMIT."),
    status: z.int().nonnegative().describe('The HTTP status.').exactOptional(),
    retryAfterMs: z
      .int()
      .nonnegative()
      .describe('How long the provider asked to wait, in milliseconds.')
      .exactOptional(),
  }),
  z.strictObject({
    kind: z.literal('hang'),
    chunks: chunks
      .describe('What came before the silence. Default: one text block with "partial".')
      .exactOptional(),
  }),
])

/** Every call of the session, in order. */
export const script: z.ZodType<ReplayEntry[]> = z
  .array(entry)
  .describe('Every model call of the session, in order.')
const patch: z.ZodType<Patch> = z.strictObject({
  at: z.int().nonnegative().describe("Which of the session's own calls, in order, from 0."),
  entry: entry.describe('What it is answered instead.'),
})
/** Some calls of the session; the log has the others. */
export const patches: z.ZodType<{ readonly patches: Patch[] }> = z.strictObject({
  $schema: z.string().describe('For editors alone.').exactOptional(),
  patches: z.array(patch).min(1).describe('The calls that are not to be answered as in the log.'),
})

/** What a sidecar says: every call of its session, or some of them. */
export type Sidecar =
  | { readonly kind: 'script'; readonly entries: readonly ReplayEntry[] }
  | { readonly kind: 'patches'; readonly patches: readonly Patch[] }

/**
 * Reads a sidecar: a JSON array of entries, each complete, or an object with patches.
 * @throws ReplayError `OVERRIDE_INVALID` that names the file, the entry's or patch's index and what
 *   is wrong
 */
export function parseOverride(text: string, file: string): Sidecar {
  const value = parseJson(text, file)
  const result = Array.isArray(value) ? script.safeParse(value) : patches.safeParse(value)
  if (!result.success) {
    const problems = result.error.issues.map(({ path, message }) => describe(path, message))
    throw invalid(file, problems.join('; '))
  }
  const { data } = result
  if (Array.isArray(data)) return { kind: 'script', entries: data }
  refuseDoubles(data.patches, file)
  return { kind: 'patches', patches: data.patches }
}

/**
 * The entries that patches put into a script, by their place in it.
 * @throws ReplayError `OVERRIDE_INVALID` for a patch beyond the script
 */
export function patchedEntries(
  given: readonly Patch[],
  calls: number,
  { file, log }: { readonly file: string; readonly log: string },
): ReadonlyMap<number, ReplayEntry> {
  for (const [index, { at }] of given.entries()) {
    if (at < calls) continue
    const held =
      calls === 0
        ? 'holds no model calls'
        : `holds ${count(calls, 'model call')}: expected "at" from 0 to ${calls - 1}`
    throw invalid(file, `patch ${index} is at ${at}, but ${log} ${held}`)
  }
  return new Map(given.map(({ at, entry }) => [at, entry]))
}

/** Which of two would count, nobody could tell. */
function refuseDoubles(given: readonly Patch[], file: string): void {
  const seen = new Map<number, number>()
  for (const [index, { at }] of given.entries()) {
    const earlier = seen.get(at)
    if (earlier !== undefined) {
      throw invalid(file, `patch ${index} is at ${at}, and so is patch ${earlier}; remove one`)
    }
    seen.set(at, index)
  }
}

/** Of a value that need not be a chunk: what is wrong with one is found beside this. */
function isFinish(value: unknown): boolean {
  return isRecord(value) && value.type === 'finish'
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw invalid(file, `not JSON (${messageOf(error)})`)
  }
}

function describe(path: readonly PropertyKey[], message: string): string {
  const patched = path[0] === 'patches'
  const [index, ...rest] = patched ? path.slice(1) : path
  if (typeof index !== 'number') {
    const whole = 'an array of replay entries, or an object with "patches" (at least one)'
    return `expected ${whole}: ${message}`
  }
  const where = rest.length === 0 ? '' : ` at ${rest.join('.')}`
  return `${patched ? 'patch' : 'entry'} ${index}${where}: ${message}`
}

function invalid(file: string, problem: string): ReplayError {
  return new ReplayError('OVERRIDE_INVALID', `${file}: ${problem}`)
}
