/**
 * The text of a source with a fault put in.
 *
 * @param {string} source
 * @param {import('./types.ts').TextEdit | import('./types.ts').SpanEdit} edit
 * @throws Error where the fault does not fit
 */
export function patched(source, edit) {
  if ('start' in edit) {
    return source.slice(0, edit.start) + edit.replace + source.slice(edit.end)
  }
  const found = source.split(edit.find).length - 1
  if (found !== 1) throw new Error(`${edit.file} has ${found} times, not once: ${edit.find}`)
  return source.replace(edit.find, () => edit.replace)
}

/**
 * The sources of a package that a fault changes, by file.
 *
 * @param {import('./types.ts').Fault} fault
 * @param {(file: string) => string} read
 * @returns {Map<string, string>}
 */
export function patchedSources(fault, read) {
  const texts = new Map()
  for (const edit of fault.edits) {
    texts.set(edit.file, patched(texts.get(edit.file) ?? read(edit.file), edit))
  }
  return texts
}
