import { isFields, type Fields } from '../log/lines.ts'
import type { HeaderBook } from './header-book.ts'

export const SYSTEM_TOKEN = '{{system}}'
export const TOOLS_TOKEN = '{{tools}}'

/**
 * Takes the system prompt and the tool schemas out of a request header, so that a change of a
 * prompt changes one pinned scenario and not all of them; which of them are the same can still be
 * told. What was absent stays absent. A delta keeps its shape: as many lines and tools as before, and
 * the names of removed tools.
 */
export function scrubHeader(event: Fields, book: HeaderBook): Fields {
  const { data } = event
  if (!isFields(data)) return event
  if (event['type'] === 'request/header') {
    const { header } = data
    if (!isFields(header)) return event
    const scrubbed = {
      ...header,
      ...('system' in header && { system: book.tokenOf('system', header['system']) }),
      ...('tools' in header && { tools: book.tokenOf('tools', header['tools']) }),
    }
    return { ...event, data: { ...data, header: scrubbed } }
  }
  if (event['type'] === 'request/header-delta') {
    const system = scrubLists(data['system'], ['insert'], SYSTEM_TOKEN)
    const tools = scrubLists(data['tools'], ['added', 'changed'], TOOLS_TOKEN)
    return {
      ...event,
      data: { ...data, ...('system' in data && { system }), ...('tools' in data && { tools }) },
    }
  }
  return event
}

/** Notes the tokens that stand in a header already. */
export function seeHeader({ type, data }: Fields, book: HeaderBook): void {
  if (type !== 'request/header' || !isFields(data) || !isFields(data['header'])) return
  const { system, tools } = data['header']
  book.see('system', system)
  book.see('tools', tools)
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
