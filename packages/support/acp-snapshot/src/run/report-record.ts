import type { ReportRecord } from 'dsh-llm-replay'
import { z } from 'zod'

const count = z.int().nonnegative()
const ordinal = z.int().positive()
const session = z.string().nullable()

/** One line of the replay report. Strict: a record that we half understand decides no verdict. */
export const reportRecord: z.ZodType<ReportRecord> = z.discriminatedUnion('event', [
  z.strictObject({ event: z.literal('loaded'), lane: count, file: z.string(), calls: count }),
  z.strictObject({
    event: z.literal('bound'),
    lane: count,
    session,
    rule: z.enum(['primary', 'anonymous', 'lineage', 'first-call', 'resumed']),
    after: z.exactOptional(count),
  }),
  z.strictObject({ event: z.literal('served'), lane: count, session, call: ordinal }),
  z.strictObject({ event: z.literal('ready'), lane: count, session, call: ordinal }),
  z.strictObject({
    event: z.literal('refused'),
    code: z.enum([
      'SCRIPT_EXHAUSTED',
      'UNRECORDED_SESSION',
      'UNRECORDED_PURPOSE',
      'UNRECORDED_RETRY',
      'MISSING_RETRY',
      'TOOL_REFUSED',
      'TOOL_NOT_RECORDED',
      'TOOL_ARGUMENTS_DIFFER',
    ]),
    message: z.string(),
    lane: z.exactOptional(count),
    call: z.exactOptional(ordinal),
    session,
  }),
  z.strictObject({ event: z.literal('left'), lane: count, served: count, left: count }),
])
