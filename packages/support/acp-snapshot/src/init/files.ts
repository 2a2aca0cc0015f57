import type { AgentCommand } from '../run/types.ts'
import { INPUT_FILE, SYSTEM_FILE, TOOLS_FILE, WIRE_FILE } from '../scenario/files.ts'

/** The name of the scenario that a project begins with. */
export const FIRST_SCENARIO = 'hello'
const PROMPT = 'Say hello.'
const SCHEMAS = 'node_modules/dsh-acp-snapshot/schemas'

/**
 * What a project begins with, by path: a config, a file for Vitest, and one scenario that is recorded
 * from the embedded model. It pins the request header, so that a change of a prompt shows.
 * @param command program and arguments, as they are to stand in the config
 */
export function initialFiles(command: AgentCommand['command']): Map<string, string> {
  const scenario = `tests/snapshots/${FIRST_SCENARIO}`
  return new Map([
    ['dsh-snapshot.config.json', json({ $schema: `./${SCHEMAS}/config.schema.json`, command })],
    ['tests/snapshot.test.js', SUITE],
    [
      `${scenario}/${INPUT_FILE}`,
      json({
        $schema: `../../../${SCHEMAS}/input.schema.json`,
        source: 'wire',
        requests: 'strict',
        steps: [{ op: 'initialize' }, { op: 'newSession' }, { op: 'prompt', text: PROMPT }],
      }),
    ],
    [
      `${scenario}/${WIRE_FILE}`,
      json({
        $schema: `../../../${SCHEMAS}/wire.schema.json`,
        rules: [{ when: { lastUser: PROMPT }, answer: { text: ['Hel', 'lo.'] } }],
      }),
    ],
    // Recording fills them in.
    [`${scenario}/${SYSTEM_FILE}`, ''],
    [`${scenario}/${TOOLS_FILE}`, ''],
  ])
}

const SUITE = `import { loadConfig, snapshotSuite } from 'dsh-acp-snapshot/vitest'

snapshotSuite(await loadConfig(new URL('../dsh-snapshot.config.json', import.meta.url)))
`

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
