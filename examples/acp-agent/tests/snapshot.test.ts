import { loadConfig, snapshotSuite } from 'dsh-acp-snapshot/vitest'

snapshotSuite(await loadConfig(new URL('../dsh-snapshot.config.json', import.meta.url)))
