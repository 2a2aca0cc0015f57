import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { SnapshotError } from '../error.ts'
import { FIRST_SCENARIO, initialFiles } from '../init/files.ts'
import { CONFIG_FILES } from '../project/load.ts'
import { agentWords } from './agent-command.ts'
import { type CommandContext, EXIT } from './host.ts'

/**
 * Writes what a project begins with into the working directory. Overwrites nothing: where one of the
 * files is there, none is written.
 * @throws SnapshotError `BAD_USAGE` without `--agent`; `CANNOT_WRITE`, naming what is there
 */
export async function initCommand(
  context: CommandContext,
  agent: string | undefined,
): Promise<number> {
  const { cwd } = context
  const files = initialFiles(agentWords(agent))
  const there = [...new Set([...files.keys(), ...CONFIG_FILES])].filter((path) =>
    existsSync(join(cwd, path)),
  )
  if (there.length > 0) {
    throw new SnapshotError(
      'CANNOT_WRITE',
      `init overwrites nothing, and there is ${there.join(', ')} already; nothing was written`,
    )
  }
  for (const [path, text] of files) {
    await mkdir(dirname(join(cwd, path)), { recursive: true })
    // Whoever was faster keeps what they wrote.
    await writeFile(join(cwd, path), text, { flag: 'wx' })
    context.print(`wrote ${path}`)
  }
  context.print('')
  context.print(`record it:  npx dsh-acp-snapshot record ${FIRST_SCENARIO}`)
  context.print('replay it:  npx vitest run')
  return EXIT.passed
}
