import type { BindingRule, RefusalCode, ReportRecord } from 'dsh-llm-replay'
import { z } from 'zod'

const count = z.int().nonnegative()
const ordinal = z.int().positive()
const session = z.string().nullable()

// By key, so that neither list can lack one that replay reports.
const RULES = {
  primary: 'primary',
  anonymous: 'anonymous',
  lineage: 'lineage',
  'first-call': 'first-call',
  resumed: 'resumed',
} as const satisfies { [R in BindingRule]: R }

const CODES = {
  SCRIPT_EXHAUSTED: 'SCRIPT_EXHAUSTED',
  UNRECORDED_SESSION: 'UNRECORDED_SESSION',
  LANE_TAKEN: 'LANE_TAKEN',
  UNRECORDED_PURPOSE: 'UNRECORDED_PURPOSE',
  UNRECORDED_RETRY: 'UNRECORDED_RETRY',
  MISSING_RETRY: 'MISSING_RETRY',
  LANE_POISONED: 'LANE_POISONED',
  TOOL_NOT_OFFERED: 'TOOL_NOT_OFFERED',
  TOOL_REFUSED: 'TOOL_REFUSED',
  TOOL_NOT_RECORDED: 'TOOL_NOT_RECORDED',
  TOOL_ARGUMENTS_DIFFER: 'TOOL_ARGUMENTS_DIFFER',
} as const satisfies { [C in RefusalCode]: C }

/** One line of the replay report. Strict: a record that we half understand decides no verdict. */
export const reportRecord: z.ZodType<ReportRecord> = z.discriminatedUnion('event', [
  z.strictObject({
    event: z.literal('loaded'),
    lane: count,
    file: z.string(),
    calls: count,
    lineage: z.exactOptional(z.string()),
  }),
  z.strictObject({
    event: z.literal('bound'),
    lane: count,
    session,
    rule: z.enum(RULES),
    lineage: z.exactOptional(z.string()),
    after: z.exactOptional(count),
  }),
  z.strictObject({ event: z.literal('served'), lane: count, session, call: ordinal }),
  z.strictObject({ event: z.literal('ready'), lane: count, session, call: ordinal }),
  z.strictObject({
    event: z.literal('refused'),
    code: z.enum(CODES),
    message: z.string(),
    lane: z.exactOptional(count),
    call: z.exactOptional(ordinal),
    session,
  }),
  z.strictObject({
    event: z.literal('drifted'),
    lane: count,
    session,
    call: ordinal,
    path: z.string(),
    expected: z.exactOptional(z.string()),
    actual: z.exactOptional(z.string()),
  }),
  z.strictObject({ event: z.literal('left'), lane: count, served: count, left: count }),
])
