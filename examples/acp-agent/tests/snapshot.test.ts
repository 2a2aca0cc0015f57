import { fileURLToPath } from 'node:url'
import { snapshotSuite } from 'dsh-acp-snapshot/vitest'

snapshotSuite({
  scenariosDir: new URL('snapshots', import.meta.url),
  command: [process.execPath, fileURLToPath(new URL('../bin.js', import.meta.url))],
})
