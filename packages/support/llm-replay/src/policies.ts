import type { Context } from '@deepseek-ai/cordis'
import { didYouMean } from 'dsh-brand'
import type { GenerateOptions } from 'dsh-llm'
import type { ToolPolicy } from './types.ts'

/**
 * The scenario's policies by tool. Tools may be registered late, so which there are is looked at when
 * they are first needed, and again until every policy has its tool.
 */
export class Policies {
  private readonly byName: ReadonlyMap<string, ToolPolicy>
  private readonly ctx: Context
  private checked = false

  constructor(ctx: Context, policies: Readonly<Record<string, ToolPolicy>>) {
    this.ctx = ctx
    this.byName = new Map(Object.entries(policies))
  }

  of(tool: string): ToolPolicy {
    return this.byName.get(tool) ?? 'run'
  }

  /**
   * Says which policies are for tools that the agent does not have, or nothing. Some sessions are
   * offered fewer tools than there are, so what a call offers counts beside the registry.
   */
  problem(offered: GenerateOptions['tools'] = []): string | undefined {
    if (this.checked) return undefined
    const there = new Set([...(this.ctx.get('tools')?.schemas() ?? []), ...offered].map(nameOf))
    const strangers = [...this.byName.keys()].filter((name) => !there.has(name))
    this.checked = strangers.length === 0
    if (this.checked) return undefined
    const named = strangers.map((name) => `"${name}"${didYouMean(name, there)}`).join(', ')
    const known = there.size === 0 ? 'It has no tools.' : `It has ${[...there].sort().join(', ')}.`
    return (
      `the scenario has a policy for a tool that the agent does not offer: ${named}${named.endsWith('?') ? '' : '.'} ${known} ` +
      'Correct the name in "tools" of input.json, or remove it.'
    )
  }
}

function nameOf({ name }: { readonly name: string }): string {
  return name
}
