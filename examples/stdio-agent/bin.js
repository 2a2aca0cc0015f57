#!/usr/bin/env node
import { Console } from 'node:console'
import { runStdioAgent } from 'dsh-stdio-demo'

// stdout is for what the model says; whatever a dependency prints goes to stderr.
globalThis.console = new Console(process.stderr, process.stderr)

await runStdioAgent(
  {
    config: new URL('cordis.yml', import.meta.url),
    snapshotConfig: new URL('cordis.snapshot.yml', import.meta.url),
  },
  process,
)
