// Behaves like an agent under replay, in small: reports, answers each prompt, and writes the log that
// the recording holds under an id and in a place of its own. The environment makes it err.
import { randomUUID } from 'node:crypto'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { answer, chunk, fail, serve } from './wire.mjs'

const {
  DSH_SNAPSHOT_FILE: fixture,
  FAKE_LOG_FILE: log = fixture,
  DSH_SNAPSHOT_REPORT: reportFile,
  DSH_SNAPSHOT_SESSIONS_ROOT: root,
  FAKE_SAYS: says = 'READY',
  FAKE_REFUSES: refuses,
  FAKE_DRIFTS: drifts,
  FAKE_LEAVES: leaves = '0',
  FAKE_CONFORMS: conforms,
  DSH_SNAPSHOT_CONFORMANCE: conformance,
  FAKE_SPOILS: spoils = conforms && conformance !== '1' ? 'OTHER' : undefined,
  FAKE_LOADS: loads,
  FAKE_WARNS: warns,
  FAKE_SPOILS_ONCE: once,
  DSH_SNAPSHOT_CHILD_FILES: children = '',
  FAKE_VARIES: varies,
} = process.env
const report = (record) => appendFileSync(reportFile, `${JSON.stringify(record)}\n`)
const [header, ...events] = readFileSync(log, 'utf8').split('\n')
const calls = events.filter((line) => line.includes('"finish"')).length
const id = randomUUID()
let cwd

report({ event: 'loaded', lane: 0, file: loads ?? fixture, calls })
if (warns) process.stderr.write(`[W] bash ${warns}\n`)
const spoilt = spoils ?? (once && !existsSync(once) ? 'SPOILT' : 'READY')
if (once) writeFileSync(once, '')
// Lanes of sessions that made no call.
const files = children.split(path.delimiter).filter((file) => file !== '')
const others = files.map((_, index) => index + 1)
for (const lane of others) report({ event: 'loaded', lane, file: files[lane - 1], calls: 0 })
// Says something else in its second run.
const said = varies && existsSync(varies) ? `${says} again` : varies ? `${says} first` : says
if (varies) writeFileSync(varies, '')
// Tells whether others run at the same time: fails where it has to be alone, or waits for them all.
const { FAKE_ALONE: alone, FAKE_CROWD: crowd, FAKE_CROWD_OF: many } = process.env
if (alone) {
  mkdirSync(alone)
  process.on('exit', () => rmdirSync(alone))
}
if (crowd) {
  appendFileSync(crowd, 'x')
  while (readFileSync(crowd, 'utf8').length < Number(many)) await new Promise(setImmediate)
}
serve({
  'session/new': (request) => {
    cwd = request.params.cwd
    answer(request, { sessionId: id })
  },
  'session/prompt': (request) => {
    if (process.env.FAKE_MUTE) return
    report({ event: 'bound', lane: 0, session: id, rule: 'primary' })
    if (leaves === '0') report({ event: 'served', lane: 0, session: id, call: 1 })
    if (refuses) {
      report({
        event: 'refused',
        code: 'SCRIPT_EXHAUSTED',
        message: refuses,
        lane: 0,
        call: 2,
        session: id,
      })
    }
    // Asks for what it logs, or for what it always asked for.
    const asked = events.join('').includes(drifts) ? undefined : drifts
    if (asked !== undefined) {
      report({
        event: 'drifted',
        lane: 0,
        session: id,
        call: 1,
        path: 'messages[0]',
        actual: asked,
      })
    }
    chunk(id, said)
    const live = { ...JSON.parse(header), id, createdAt: 1700000000000, cwd }
    const folder = path.join(root, 'project', id)
    mkdirSync(folder, { recursive: true })
    const text = [JSON.stringify(live), ...events].join('\n').replaceAll('READY', spoilt)
    writeFileSync(path.join(folder, 'session.jsonl'), text)
    if (process.env.FAKE_FAILS) fail(request, -32603, process.env.FAKE_FAILS)
    else answer(request, { stopReason: 'end_turn' })
  },
  end: () => {
    report({ event: 'left', lane: 0, served: calls - Number(leaves), left: Number(leaves) })
    for (const lane of others) report({ event: 'left', lane, served: 0, left: 0 })
  },
})
