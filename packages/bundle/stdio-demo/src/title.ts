import type { CoreEvents } from 'dsh-session'
import type { ToolRegistry } from 'dsh-tools'

/** A call by its tool's name and the title that the tool gives it; by name where it gives none. */
export function titleOf(tools: ToolRegistry, call: CoreEvents['tool/call']): string {
  const { name } = call
  try {
    const args: unknown = JSON.parse(call.arguments === '' ? '{}' : call.arguments)
    const title = tools.get(name)?.display?.(args).title
    return title === undefined ? name : `${name}: ${title}`
  } catch {
    // Not JSON: the tool will tell the model, and its result is shown.
    return name
  }
}
