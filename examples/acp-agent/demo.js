#!/usr/bin/env node
// Records scenarios into a folder of their own, as if for the first time, and replays each recording
// in a fresh agent process: one agent, then one with two helpers, each of them a lane with answers of
// its own. Needs no key: the scenarios are answered by the embedded model.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  installInterruptHandler,
  loadScenario,
  recordScenario,
  renderStory,
  renderVerdict,
  replayScenario,
} from 'dsh-acp-snapshot'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const say = (text) => process.stdout.write(`${text}\n`)

/** @returns whether the recording was made and replays */
async function demo(name, out, signal) {
  const agent = { command: [process.execPath, here('bin.js')] }
  const env = { PATH: process.env.PATH }
  const committed = await loadScenario(here(`tests/snapshots/${name}`), { purpose: 'record' })

  say(`1. Record "${name}": the agent calls its model over HTTP, and its own log is kept.`)
  const recording = await recordScenario(committed, { agent, env, out, signal, keepFailed: false })
  if (recording.status === 'failed') {
    for (const problem of recording.problems) say(`   ${problem}`)
    if (recording.verdict !== undefined) say(renderVerdict(recording.verdict))
    return false
  }
  for (const command of recording.commands) say(`   replay will run: ${command}`)
  say(`   wrote ${recording.written.join(' and ')} in ${recording.durationMs} ms\n`)

  say('2. Replay it: no key, no network; the log answers as the model, the tools run for real.')
  const recorded = await loadScenario(join(out, name))
  const { verdict, normal } = await replayScenario(recorded, { agent, signal })
  say(renderStory(verdict, normal))
  say(`\n${renderVerdict(verdict)}`)
  return verdict.status === 'passed'
}

const { signal } = installInterruptHandler(process)
const out = await mkdtemp(join(tmpdir(), 'dsh-demo-'))
try {
  const plain = await demo('fs-edit', out, signal)
  say('')
  const nested = await demo('subagent-multi', out, signal)
  process.exitCode = plain && nested ? 0 : 1
} finally {
  await rm(out, { recursive: true, force: true })
}
