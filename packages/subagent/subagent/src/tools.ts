import { parametersOf, parseArgs, textOutcome, type Tool } from 'dsh-tools'
import { z } from 'zod'
import { cancelled, SubagentError } from './error.ts'
import type { SubagentRegistry, SubagentResult } from './types.ts'

const Args = z.object({
  description: z.string().min(1).describe('The task in 3 to 5 words, for display.'),
  prompt: z.string().min(1).describe('The task for the child agent.'),
})

interface ToolTexts {
  readonly name: string
  readonly description: string
}

/** The tool of each provider that has one. */
const TOOLS: Readonly<Record<string, ToolTexts>> = {
  spawn: {
    name: 'subagent',
    description:
      'Delegate a task to a child agent that starts with an empty conversation, works in the same ' +
      'directory with the same tools, and answers once. It knows nothing of this conversation: put ' +
      'all that it needs into the prompt, and say what it should report. Returns the text of its ' +
      'last message.',
  },
  fork: {
    name: 'subagent_fork',
    description:
      'Delegate a task to a child agent that starts with a copy of this conversation up to the end ' +
      'of the previous turn, works in the same directory with the same tools, and answers once. It ' +
      'does not know the current request: put the task into the prompt. What it does is not added ' +
      'to this conversation. Returns the text of its last message.',
  },
}

/** The tool that delegates to a provider; undefined where it has none. */
export function toolFor(provider: string, subagents: SubagentRegistry): Tool | undefined {
  const texts = Object.hasOwn(TOOLS, provider) ? TOOLS[provider] : undefined
  if (texts === undefined) return undefined
  const { name, description } = texts
  return {
    name,
    description,
    parameters: parametersOf(Args),
    kind: 'other',
    display: (args) => {
      const parsed = Args.safeParse(args)
      return { title: parsed.success ? parsed.data.description : name }
    },
    execute: async (args, context) => {
      const { prompt } = parseArgs(name, Args, args)
      const { session: parent, signal } = context
      const run = subagents.start(provider, { prompt, parent, origin: context, signal })
      let result: SubagentResult
      try {
        result = await run.result
      } finally {
        await run.dispose()
      }
      if (result.stopReason !== 'completed') throw failureOf(result.stopReason)
      return textOutcome(result.output)
    },
  }
}

function failureOf(reason: Exclude<SubagentResult['stopReason'], 'completed'>): SubagentError {
  switch (reason) {
    case 'aborted':
      return cancelled()
    case 'error':
      return new SubagentError('SUBAGENT_FAILED', 'subagent run failed')
    case 'max-tokens':
      return new SubagentError(
        'SUBAGENT_MAX_TOKENS',
        'subagent run hit its token limit before finishing',
      )
  }
}
