// An agent that can also be recorded: it asks its model nothing, says READY, and leaves the log that
// the environment holds, under an id and in a place of its own. In replay it is `replays.mjs`.
import { randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { answer, chunk, fail, serve } from './wire.mjs'

const { DSH_SNAPSHOT, DSH_SNAPSHOT_SESSIONS_ROOT: root, FAKE_LOG, FAKE_SEES } = process.env
if (DSH_SNAPSHOT === 'replay') await import('./replays.mjs')
else {
  const id = randomUUID()
  let cwd
  if (FAKE_SEES) {
    const { DEEPSEEK_API_KEY: key = null, DEEPSEEK_BASE_URL: url = null } = process.env
    const { OTHER_SECRET_WORD: otherKey, OTHER_URL: otherUrl, OTHER_ID: otherId } = process.env
    writeFileSync(FAKE_SEES, JSON.stringify({ key, url, otherKey, otherUrl, otherId }))
  }
  serve({
    'session/new': (request) => {
      cwd = request.params.cwd
      answer(request, { sessionId: id })
    },
    'session/prompt': (request) => {
      chunk(id, 'READY')
      if (FAKE_LOG) {
        const folder = path.join(root, 'project', id)
        mkdirSync(folder, { recursive: true })
        const text = FAKE_LOG.replaceAll('{{session}}', id).replaceAll('{{cwd}}', cwd)
        writeFileSync(path.join(folder, 'session.jsonl'), text)
      }
      if (process.env.FAKE_KEY_REFUSED) fail(request, -32603, process.env.FAKE_KEY_REFUSED)
      else answer(request, { stopReason: 'end_turn' })
    },
  })
}
