import { Context } from '@deepseek-ai/cordis'
import * as fc from 'fast-check'
import { LlmService, type Message } from 'dsh-llm'
import { type Session, SessionService } from 'dsh-session'
import { describe, it } from 'vitest'
import { installLlmReplay, type ReportRecord } from '../../src/index.ts'
import { call, collect } from '../helpers/agent.ts'
import { answer, logText, readReport, tempFolder } from '../helpers/log.ts'
import { checkAsync } from '../helpers/property.ts'

const folder = tempFolder()

/** One thing that enters a conversation, or leaves it. */
type Turn =
  | { readonly kind: 'user' | 'steering'; readonly text: string }
  | { readonly kind: 'tool'; readonly text: string }
  | { readonly kind: 'replace'; readonly text: string; readonly from: number }

const words = fc.array(fc.constantFrom('a', 'CWD/b', '"CWD"', 'ID', ' ', 'é', '\n'), {
  maxLength: 6,
})
const text = words.map((parts) => parts.join(' '))
const turn: fc.Arbitrary<Turn> = fc.oneof(
  fc.record({ kind: fc.constantFrom('user' as const, 'steering' as const), text }),
  fc.record({ kind: fc.constant('tool' as const), text }),
  fc.record({ kind: fc.constant('replace' as const), text, from: fc.nat(5) }),
)

async function store(): Promise<Context> {
  const ctx = new Context()
  await ctx.plugin(LlmService)
  await ctx.plugin(SessionService)
  return ctx
}

/** Puts a turn into a session; paths and ids are the session's own. */
function enter(session: Session, at: number, what: Turn, nodes: number[]): void {
  const words = what.text.replaceAll('CWD', session.cwd).replaceAll('ID', session.id)
  const content = [{ type: 'text', text: words }] as const
  const position = { turn: at + 1, step: 1 }
  const append = { surfaceOp: 'append' } as const
  const add = (type: string, data: object): void => {
    nodes.push(session.append(type, data, append).seq)
  }
  if (what.kind === 'tool') {
    const block = { type: 'tool-call', id: `c${at}`, name: 't', arguments: '{}' }
    add('assistant/message', { ...position, content: [block] })
    add('tool/result', { ...position, callId: `c${at}`, content, isError: at % 2 === 0 })
  } else if (what.kind === 'replace' && nodes.length > 0) {
    const from = Math.min(what.from, nodes.length - 1)
    const [start, end] = [nodes[from] as number, nodes.at(-1) as number]
    const surfaceOp = { op: 'replace', start, end } as const
    const source = { kind: 'user' }
    const event = session.append('user/message', { content, source }, { surfaceOp })
    nodes.splice(from, nodes.length, event.seq)
  } else {
    const source = { kind: 'user' }
    const type = what.kind === 'steering' ? 'steering/message' : 'user/message'
    add(type, { ...position, content, source })
  }
}

function recorded(ctx: Context, turns: readonly Turn[]): string {
  const session = ctx.sessions.create({ cwd: '/rec/cwd' })
  session.append('request/header', { header: { config: { model: 'm' } }, reason: 'initial' })
  const nodes: number[] = []
  for (const [at, what] of turns.entries()) {
    enter(session, at, what, nodes)
    for (const chunk of answer(`answer ${at}`)) {
      session.append('assistant/chunk', { turn: at + 1, step: 1, chunk })
    }
  }
  return logText(session.header, [...session.events])
}

/** Replays the conversation, each request changed as told; gives what drifted. */
async function drifted(
  turns: readonly Turn[],
  change: (messages: readonly Message[], call: number) => readonly Message[],
): Promise<Extract<ReportRecord, { event: 'drifted' }>[]> {
  const file = folder.write('property.jsonl', recorded(await store(), turns))
  const reportFile = folder.write('property.report.jsonl', '')
  const ctx = await store()
  const dispose = installLlmReplay(ctx, { file, reportFile, requests: 'strict' })
  const session = ctx.sessions.create({ cwd: '/live/w/cwd' })
  const nodes: number[] = []
  for (const [at, what] of turns.entries()) {
    enter(session, at, what, nodes)
    const messages = change(session.history(), at + 1)
    await collect(call(ctx, session.id, { messages }))
  }
  dispose()
  return readReport(reportFile).filter((record) => record.event === 'drifted')
}

describe('any conversation (property)', () => {
  const turns = fc.array(turn, { minLength: 1, maxLength: 8 })

  it('is implied by its own recording', async () => {
    await checkAsync(
      fc.asyncProperty(turns, async (turns) => {
        const found = await drifted(turns, (messages) => messages)
        return found.length === 0
      }),
      60,
    )
  })

  it('is not, once a message is lost, there twice, or another', async () => {
    await checkAsync(
      fc.asyncProperty(
        turns,
        fc.nat(),
        fc.nat(),
        fc.constantFrom('lost', 'twice', 'other'),
        async (turns, which, where, how) => {
          const call = (which % turns.length) + 1
          let at = 0
          const found = await drifted(turns, (messages, made) => {
            if (made !== call) return messages
            at = where % messages.length
            const message = messages[at] as Message
            const other = { role: message.role, content: [{ type: 'text', text: 'new' }] } as const
            const put = { lost: [], twice: [message, message], other: [other] }[how]
            return messages.toSpliced(at, 1, ...put)
          })
          // A message that is like its neighbours is missed, or one too many, only behind them.
          const index = Number(/^messages\[(\d+)\]/.exec(found[0]?.path ?? '')?.[1])
          return found.length === 1 && found[0]?.call === call && index >= at
        },
      ),
      60,
    )
  })
})
