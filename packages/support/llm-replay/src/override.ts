import { messageOf } from 'dsh-brand'
import type { StreamChunk } from 'dsh-llm'
import { z } from 'zod'
import { chunkProblem } from './chunk.ts'
import { ReplayError } from './error.ts'
import type { ReplayEntry } from './types.ts'

const chunk = z.custom<StreamChunk>().check((context) => {
  const message = chunkProblem(context.value)
  if (message !== undefined) context.issues.push({ code: 'custom', input: context.value, message })
})
const chunks = z.array(chunk)

const entry: z.ZodType<ReplayEntry> = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('chunks'), chunks }),
  z.strictObject({
    kind: z.literal('throw'),
    chunks: chunks.default([]),
    message: z.string(),
    code: z.string(),
    status: z.int().exactOptional(),
  }),
  z.strictObject({ kind: z.literal('hang'), chunks: chunks.exactOptional() }),
])

/**
 * Reads a sidecar: a JSON array of entries, each complete.
 * @throws ReplayError `OVERRIDE_INVALID` that names the file, the entry's index and what is wrong
 */
export function parseOverride(text: string, file: string): ReplayEntry[] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new ReplayError('OVERRIDE_INVALID', `${file}: not JSON (${messageOf(error)})`)
  }
  const result = z.array(entry).safeParse(value)
  if (result.success) return result.data
  const problems = result.error.issues.map(({ path, message }) => {
    const [index, ...rest] = path
    if (index === undefined) return `expected an array of replay entries: ${message}`
    const where = rest.length === 0 ? '' : ` at ${rest.join('.')}`
    return `entry ${String(index)}${where}: ${message}`
  })
  throw new ReplayError('OVERRIDE_INVALID', `${file}: ${problems.join('; ')}`)
}
