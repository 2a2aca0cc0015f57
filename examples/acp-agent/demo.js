#!/usr/bin/env node
// Records scenarios into a folder of their own, as if for the first time, and replays each recording
// in a fresh agent process: one agent, then one with two helpers, each of them a lane with answers of
// its own; then the latter with another prompt, to show a red. Needs no key: the scenarios are
// answered by the embedded model.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
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

/** @returns whether the replay noticed that the prompt is another one */
async function changedPrompt(name, out, signal) {
  const dir = join(out, name)
  const file = join(dir, 'input.json')
  const text = await readFile(file, 'utf8')
  const { steps } = JSON.parse(text)
  const { text: prompt } = steps.find(({ op }) => op === 'prompt')
  const other = `${prompt} Be brief.`
  await writeFile(file, text.replace(JSON.stringify(prompt), JSON.stringify(other)))

  say(`\n3. Change the prompt to "${other}", and replay: the red says where, and what accepts it.`)
  const agent = { command: [process.execPath, here('bin.js')] }
  const options = { agent, signal, keepFailed: false }
  const { verdict } = await replayScenario(await loadScenario(dir), options)
  say(renderVerdict(verdict))
  return verdict.findings.some(({ kind }) => kind === 'log-differs')
}

const { signal } = installInterruptHandler(process)
const out = await mkdtemp(join(tmpdir(), 'dsh-demo-'))
try {
  const plain = await demo('fs-edit', out, signal)
  say('')
  const nested = await demo('subagent-multi', out, signal)
  const red = nested && (await changedPrompt('subagent-multi', out, signal))
  process.exitCode = plain && red ? 0 : 1
} finally {
  await rm(out, { recursive: true, force: true })
}
