import { fileURLToPath } from 'node:url'
import { snapshotSuite } from 'dsh-acp-snapshot/vitest'

// The same agent with one more row: what a composition adds is replayed like everything else.
snapshotSuite({
  scenariosDir: new URL('policy/snapshots', import.meta.url),
  command: [process.execPath, fileURLToPath(new URL('policy/bin.js', import.meta.url))],
})
