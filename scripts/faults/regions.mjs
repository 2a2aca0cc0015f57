import { walkSource } from './tree-walk.mjs'

const LOOPS = new Set(['ForStatement', 'ForOfStatement', 'ForInStatement', 'WhileStatement'])
const DECLARATIONS = new Set(['FunctionDeclaration', 'ClassDeclaration', 'EmptyStatement'])

/**
 * The stretches of a source of which it can be told whether they ran: the statements of every body,
 * and the expressions that a condition may leave out. Module level itself always runs and is none.
 *
 * @param {string} file
 * @param {string} source
 * @returns {import('./types.ts').Region[]} outer ones first
 */
export function regionsOf(file, source) {
  const regions = []
  const add = ({ start, end }, form) => regions.push({ start, end, form })
  walkSource(file, source, (node, parents, key) => {
    const parent = parents.at(-1)
    if (parent === undefined || node.type.startsWith('TS')) return
    if (isListed(parent, key)) {
      if (!DECLARATIONS.has(node.type)) add(node, 'statement')
    } else if (isBare(parent, key) && node.type !== 'BlockStatement') {
      if (!(key === 'alternate' && node.type === 'IfStatement')) add(node, 'bare')
    } else if (isOptionalPart(parent, key) && node.type !== 'BlockStatement') {
      add(node, 'expression')
    }
  })
  return regions
}

function isListed(parent, key) {
  return (
    (parent.type === 'BlockStatement' && key === 'body') ||
    (parent.type === 'SwitchCase' && key === 'consequent')
  )
}

function isBare(parent, key) {
  if (parent.type === 'IfStatement') return key === 'consequent' || key === 'alternate'
  return LOOPS.has(parent.type) && key === 'body'
}

function isOptionalPart(parent, key) {
  if (parent.type === 'ArrowFunctionExpression') return key === 'body'
  if (parent.type === 'ConditionalExpression') return key === 'consequent' || key === 'alternate'
  return parent.type === 'LogicalExpression' && key === 'right'
}

/**
 * The smallest region that holds a span, by number; -1 at module level.
 *
 * @param {readonly import('./types.ts').Region[]} regions
 * @param {{ start: number, end: number }} span
 */
export function regionAt(regions, { start, end }) {
  let best = -1
  for (const [number, region] of regions.entries()) {
    if (region.start > start || region.end < end) continue
    const held = regions[best]
    if (held === undefined || region.end - region.start <= held.end - held.start) best = number
  }
  return best
}

/**
 * The source with a call of `mark` wherever a region begins to run.
 *
 * @param {string} source
 * @param {readonly import('./types.ts').Region[]} regions
 * @param {(region: number) => string} mark the call, as an expression
 */
export function marked(source, regions, mark) {
  const inserts = regions.flatMap(({ start, end, form }, number) => {
    const width = end - start
    const call = mark(number)
    if (form === 'statement') return [{ at: start, opens: true, width, text: `${call};` }]
    const [open, close] = form === 'bare' ? [`{${call};`, '}'] : [`(${call},(`, '))']
    return [
      { at: start, opens: true, width, text: open },
      { at: end, opens: false, width, text: close },
    ]
  })
  inserts.sort(byPlace)
  let text = ''
  let done = 0
  for (const { at, text: inserted } of inserts) {
    text += source.slice(done, at) + inserted
    done = at
  }
  return text + source.slice(done)
}

/** Where one stretch ends and another begins, the end comes first; of two that begin, the outer. */
function byPlace(a, b) {
  if (a.at !== b.at) return a.at - b.at
  if (a.opens !== b.opens) return a.opens ? 1 : -1
  return a.opens ? b.width - a.width : a.width - b.width
}
