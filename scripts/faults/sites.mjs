import { regionAt, regionsOf } from './regions.mjs'
import { walkSource } from './tree-walk.mjs'
import { OPERATORS } from './operators.mjs'

/**
 * Every place of a source at which a mutation operator can work, in the order of the text.
 *
 * @param {string} file
 * @param {string} source
 * @returns {import('./types.ts').Site[]}
 */
export function sitesOf(file, source) {
  const regions = regionsOf(file, source)
  const sites = []
  const text = (node) => source.slice(node.start, node.end)
  walkSource(file, source, (node, parents, key) => {
    for (const [operator, work] of Object.entries(OPERATORS)) {
      for (const edit of work({ node, parents, key, text, source }) ?? []) {
        const line = source.slice(0, edit.start).split('\n').length
        // By the mutated node, since what is removed may reach beyond its region.
        sites.push({ file, operator, ...edit, line, region: regionAt(regions, node) })
      }
    }
  })
  return sites.sort((a, b) => a.start - b.start || a.end - b.end)
}

/**
 * What a site does, on one line.
 *
 * @param {string} source
 * @param {import('./types.ts').SpanEdit} site
 */
export function changeOf(source, { start, end, replace }) {
  return `${short(source.slice(start, end))} → ${short(replace) || 'nothing'}`
}

function short(text) {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > 40 ? `${line.slice(0, 39)}…` : line
}
