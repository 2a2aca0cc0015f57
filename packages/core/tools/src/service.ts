import { type Context, Service } from '@deepseek-ai/cordis'
import type { ToolSchema } from 'dsh-llm'
import { invalidArgs } from './args.ts'
import { ToolError } from './error.ts'
import { failureOutcome } from './outcome.ts'
import type { Tool, ToolCallContext, ToolOutcome, ToolRegistry, ToolRequest } from './types.ts'

/** `ctx.tools`. */
export class ToolService extends Service implements ToolRegistry {
  // TypeScript-private only: calls go through a proxy, which #private does not survive.
  private readonly tools: Map<string, Tool> = new Map()

  constructor(ctx: Context) {
    super(ctx, 'tools')
  }

  register(tool: Tool): () => void {
    if (this.tools.has(tool.name)) {
      throw new ToolError(
        'DUPLICATE_TOOL',
        `a tool named "${tool.name}" is already registered; disable one of the two`,
      )
    }
    const dispose = this.ctx.effect(() => {
      this.tools.set(tool.name, tool)
      return () => void this.tools.delete(tool.name)
    }, `tool ${tool.name}`)
    return () => void dispose()
  }

  get(name: string): Tool | undefined {
    return this.tools.get(name)
  }

  schemas(): readonly ToolSchema[] {
    return this.sorted().map(({ name, description, parameters }) => ({
      name,
      description,
      parameters,
    }))
  }

  async execute(request: ToolRequest, context: ToolCallContext): Promise<ToolOutcome> {
    try {
      return await this.ctx.waterfall('tools/execute', request, context, () =>
        this.run(request, context),
      )
    } catch (error) {
      return failureOutcome(error)
    }
  }

  /** Maps errors here too, so that `next()` gives listeners an outcome and never rejects. */
  private async run(request: ToolRequest, context: ToolCallContext): Promise<ToolOutcome> {
    try {
      const tool = this.tools.get(request.name)
      if (tool === undefined) throw this.unknownTool(request.name)
      return await tool.execute(parseJson(request), context)
    } catch (error) {
      return failureOutcome(error)
    }
  }

  private unknownTool(name: string): ToolError {
    const names = this.sorted().map((tool) => tool.name)
    const available = names.length === 0 ? 'none' : names.join(', ')
    return new ToolError('UNKNOWN_TOOL', `unknown tool "${name}" (available: ${available})`)
  }

  private sorted(): Tool[] {
    return [...this.tools.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
  }
}

function parseJson(request: ToolRequest): unknown {
  if (request.arguments === '') return {}
  try {
    return JSON.parse(request.arguments)
  } catch {
    // The engine's own message differs between its versions, and results are compared bytewise.
    throw invalidArgs(request.name, 'not valid JSON')
  }
}
