import { parseArgs } from 'node:util'
import { DshError, messageOf } from 'dsh-brand'

export interface Arguments {
  /** The session to go on with; a new one where absent. */
  readonly resume?: string
}

/**
 * Reads the command line, without the two words that start the program.
 * @throws DshError `USAGE`
 */
export function readArguments(args: readonly string[]): Arguments {
  try {
    const options = { resume: { type: 'string' } } as const
    const { resume } = parseArgs({ args: [...args], options, allowPositionals: false }).values
    if (resume === '') throw new Error("Option '--resume' needs the id of a session")
    return { ...(resume !== undefined && { resume }) }
  } catch (error) {
    throw new DshError(
      'USAGE',
      `${messageOf(error)}\nusage: [--resume ID], and one prompt per line on standard input`,
    )
  }
}
