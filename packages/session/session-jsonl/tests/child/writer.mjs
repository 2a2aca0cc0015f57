// Writes turns to a log until it is killed or has written enough. Says on stdout what is durable.
import * as fs from 'node:fs'
import * as promises from 'node:fs/promises'
import { Context } from '@deepseek-ai/cordis'
import * as sessions from 'dsh-session'
import { JsonlBackend } from '../../dist/backend.js'

const [root, id, turns, dieAt, layout] = process.argv.slice(2)
const say = (what) => fs.writeSync(1, `${JSON.stringify(what)}\n`)

// Dies at the nth call to the file system: before it, or half-way through a write.
let left = Number(dieAt)
function step(method, args, run) {
  if (left > 0 && --left === 0) {
    if (method === 'write') fs.writeSync(args[0].fd, args[1], 0, args[1].length >> 1, args[4])
    process.kill(process.pid, 'SIGKILL')
  }
  return run()
}
const calls = {}
for (const method of ['link', 'mkdir', 'readlink', 'rename', 'symlink', 'unlink', 'readdir']) {
  calls[method] = (...args) => step(method, args, () => promises[method](...args))
}
calls.open = (...args) =>
  step('open', args, async () => {
    const handle = await promises.open(...args)
    return new Proxy(handle, {
      get(target, key) {
        const value = Reflect.get(target, key)
        if (typeof value !== 'function') return value
        return (...inner) => step(key, [target, ...inner], () => value.apply(target, inner))
      },
    })
  })

const ctx = new Context()
await ctx.plugin(sessions)
await new Promise((resolve) => {
  ctx.inject(['sessions'], () => resolve())
})
const backend = new JsonlBackend({ root, fs: calls, packChunks: layout === 'packed' })
ctx.sessions.useBackend(backend)
ctx.on('session/flush', (session) => backend.flush(session))

try {
  const session = id === '' ? ctx.sessions.create({ cwd: '/work' }) : await ctx.sessions.load(id)
  say({ id: session.id })
  let turn = session.events.filter((event) => event.type === 'turn/start').length
  for (let index = 0; index < Number(turns); index++) {
    turn++
    session.append('turn/start', { turn })
    session.append('step/start', { turn, step: 1 })
    for (const text of ['a', `${turn}`, 'c', 'd']) {
      const chunk = { type: 'text-delta', index: 0, text }
      session.append('assistant/chunk', { turn, step: 1, chunk })
    }
    session.append('tool/call', { turn, step: 1, callId: `c${turn}`, text: 'x'.repeat(turn * 50) })
    if (index % 3 === 1) await ctx.sessions.flush(session)
    session.append('step/end', { turn, step: 1 })
    session.append('turn/end', { turn, reason: { kind: 'completed' } })
    await ctx.sessions.flush(session)
    say({ durable: session.events.length })
  }
  await ctx.sessions.dispose(session)
} catch (error) {
  say({ code: error.code, message: error.message, cause: error.cause?.code })
}
