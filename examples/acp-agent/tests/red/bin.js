#!/usr/bin/env node
import { runAcpAgent } from 'dsh-acp-demo'

await runAcpAgent(
  {
    config: new URL('cordis.yml', import.meta.url),
    snapshotConfig: new URL('cordis.snapshot.yml', import.meta.url),
  },
  process,
)
