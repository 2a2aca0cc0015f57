#!/usr/bin/env node
// Replays a committed scenario against a fresh agent process, without a key, and says what happened.
import { fileURLToPath } from 'node:url'
import {
  installInterruptHandler,
  loadScenario,
  renderStory,
  renderVerdict,
  replayScenario,
} from 'dsh-acp-snapshot'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const say = (text) => process.stdout.write(`${text}\n`)

const { signal } = installInterruptHandler(process)
const name = 'tool-call-turn'
say(
  `Replaying "${name}": a recorded session answers as the model, the agent and its tools are real.\n`,
)
const scenario = await loadScenario(here(`tests/snapshots/${name}`))
const agent = { command: [process.execPath, here('bin.js')] }
const { verdict, normal } = await replayScenario(scenario, { agent, signal })
say(renderStory(verdict, normal))
say(`\n${renderVerdict(verdict)}`)
process.exitCode = verdict.status === 'passed' ? 0 : 1
