#!/usr/bin/env node
import { main } from 'dsh-acp-snapshot'

process.exitCode = await main(process)
