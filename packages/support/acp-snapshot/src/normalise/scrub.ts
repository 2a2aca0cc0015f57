import { isFields, type Fields } from '../log/lines.ts'

export const SYSTEM_TOKEN = '{{system}}'
export const TOOLS_TOKEN = '{{tools}}'

/**
 * Takes the system prompt and the tool schemas out of a request header, so that a change of a
 * prompt changes one pinned scenario and not all of them. What was absent stays absent. A delta
 * keeps its shape: as many lines and tools as before, and the names of removed tools.
 */
export function scrubHeader(event: Fields): Fields {
  const { data } = event
  if (!isFields(data)) return event
  if (event['type'] === 'request/header') {
    const { header } = data
    if (!isFields(header)) return event
    return { ...event, data: { ...data, header: scrubFields(header, SYSTEM_TOKEN, TOOLS_TOKEN) } }
  }
  if (event['type'] === 'request/header-delta') {
    const system = scrubLists(data['system'], ['insert'], SYSTEM_TOKEN)
    const tools = scrubLists(data['tools'], ['added', 'changed'], TOOLS_TOKEN)
    return { ...event, data: scrubFields(data, system, tools) }
  }
  return event
}

function scrubFields(fields: Fields, system: unknown, tools: unknown): Fields {
  return {
    ...fields,
    ...('system' in fields && { system }),
    ...('tools' in fields && { tools }),
  }
}

function scrubLists(change: unknown, lists: readonly string[], token: string): unknown {
  if (!isFields(change)) return change
  return Object.fromEntries(
    Object.entries(change).map(([key, item]) => [
      key,
      lists.includes(key) && Array.isArray(item) ? item.map(() => token) : item,
    ]),
  )
}
