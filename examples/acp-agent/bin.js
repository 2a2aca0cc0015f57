#!/usr/bin/env node
import { Console } from 'node:console'
import { runAcpAgent } from 'dsh-acp-demo'

// stdout belongs to the protocol; whatever a dependency prints goes to stderr.
globalThis.console = new Console(process.stderr, process.stderr)

await runAcpAgent(
  {
    config: new URL('cordis.yml', import.meta.url),
    snapshotConfig: new URL('cordis.snapshot.yml', import.meta.url),
  },
  process,
)
