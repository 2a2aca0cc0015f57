import { parseSync } from 'oxc-parser'

/** Type-level parts have no say at run time. */
const TYPE_KEYS = new Set([
  'typeAnnotation',
  'typeArguments',
  'typeParameters',
  'returnType',
  'superTypeArguments',
  'implements',
])
const TYPE_WRAPPERS = new Set(['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression'])

/**
 * Calls `visit` for every node of a module that is there at run time, outer ones first.
 *
 * @param {string} file names the source in messages
 * @param {string} source
 * @param {(node: any, parents: readonly any[], key: string) => void} visit
 */
export function walkSource(file, source, visit) {
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file} does not parse: ${errors[0]?.message}`)
  walk(program, [], '', visit)
}

function walk(node, parents, key, visit) {
  if (node.type.startsWith('TS') && !TYPE_WRAPPERS.has(node.type)) return
  if (node.type.startsWith('Import') && node.type !== 'ImportExpression') return
  visit(node, parents, key)
  const below = [...parents, node]
  for (const [name, value] of Object.entries(node)) {
    if (TYPE_KEYS.has(name)) continue
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child?.type === 'string') walk(child, below, name, visit)
    }
  }
}

/** @param {string} source of a TypeScript module */
export function parses(source) {
  return parseSync('source.ts', source).errors.length === 0
}
