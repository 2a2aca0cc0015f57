import { HARNESS } from './harness.mjs'
import { LOOP } from './loop.mjs'
import { REPLAY } from './replay.mjs'
import { SUBAGENTS } from './subagents.mjs'
import { PROTOCOL, STORE, TOOLS } from './surroundings.mjs'

/** The faults that were chosen by hand. @type {import('../types.ts').Fault[]} */
export const CHOSEN = [
  ...LOOP,
  ...SUBAGENTS,
  ...TOOLS,
  ...STORE,
  ...PROTOCOL,
  ...REPLAY,
  ...HARNESS,
]
