/**
 * Makes the faults of one package.
 *
 * @typedef {readonly [file: string, find: string, replace: string]} Edit `file` lies below `src`
 *
 * @param {import('../types.ts').Area} area
 * @param {string} folder the package
 */
export function faultsOf(area, folder) {
  /**
   * @param {string} name
   * @param {string | readonly string[]} expect
   * @param {Edit | readonly Edit[]} edit
   * @param {{ scenarios?: readonly string[], guards?: readonly string[] }} [more]
   * @returns {import('../types.ts').Fault}
   */
  return (name, expect, edit, more = {}) => ({
    name,
    area,
    package: folder,
    edits: listOf(edit).map(([file, find, replace]) => ({ file: `src/${file}`, find, replace })),
    expect: [expect].flat(),
    ...more,
  })
}

/**
 * @param {Edit | readonly Edit[]} edit
 * @returns {readonly Edit[]}
 */
function listOf(edit) {
  return typeof edit[0] === 'string'
    ? [/** @type {Edit} */ (edit)]
    : /** @type {readonly Edit[]} */ (edit)
}
