#!/usr/bin/env node
import { main } from 'dsh-session-jsonl/cli'

process.exitCode = await main(process)
