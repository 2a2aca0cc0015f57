import type { LineWindow } from './window.ts'

/** What `read` answers. @param first the number of the window's first line. */
export function renderRead(path: string, first: number, window: LineWindow): string {
  const numbered = window.lines.map((line, index) => `${first + index}: ${line}\n`).join('')
  const separator = numbered === '' ? '' : '\n'
  return envelope(path, numbered + separator + footer(first, window))
}

/** What `write` answers. */
export function renderWrite(path: string, existed: boolean): string {
  return envelope(path, existed ? 'Updated file' : 'Created file')
}

function footer(first: number, { lines, total, capped }: LineWindow): string {
  const last = first + lines.length - 1
  if (last >= total) return `(End of file - total ${total} lines)`
  const shown = `Showing lines ${first}-${last}`
  const onward = `Use offset=${last + 1} to continue.`
  return capped ? `(Output capped. ${shown}. ${onward})` : `(${shown} of ${total}. ${onward})`
}

function envelope(path: string, content: string): string {
  return `<path>${path}</path>\n<type>file</type>\n<content>\n${content}\n</content>`
}
