// Puts a FIFO where the harness is going to read.
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { serve } from './wire.mjs'

const { DSH_SNAPSHOT_REPORT: report } = process.env
rmSync(report, { force: true })
spawnSync('mkfifo', [report])
serve()
