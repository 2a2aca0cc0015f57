// The mutation operators. Each takes a node and gives the edits that it makes there, or nothing.

const COMPARISONS = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
}

/** An edit of the whole node. */
const whole = ({ start, end }, replace) => [{ start, end, replace }]

/** The one place of an operator between two operands. */
function between(source, left, right, operator, replace) {
  const at = source.indexOf(operator, left.end)
  return at < 0 || at >= right.start ? [] : [{ start: at, end: at + operator.length, replace }]
}

/** How far it is to the end of a comma that follows. */
const commaAfter = (source, end) => /^\s*,/.exec(source.slice(end))?.[0].length ?? 0

const isCall = (node) => node.type === 'CallExpression' || node.type === 'NewExpression'

function isSuperCall({ type, callee }) {
  return type === 'CallExpression' && callee.type === 'Super'
}

/** Texts that a bundler reads, or that are keys. */
function isName(parents, key) {
  const parent = parents.at(-1)
  if (parent === undefined) return true
  if (parent.type === 'Property' && key === 'key') return true
  return (
    parent.type.startsWith('Export') || parent.type === 'ImportExpression' || key === 'directive'
  )
}

export const OPERATORS = {
  'delete-statement'({ node }) {
    if (node.type === 'ThrowStatement') return whole(node, ';')
    if (
      node.type !== 'ExpressionStatement' ||
      (node.directive !== undefined && node.directive !== null)
    )
      return undefined
    return isSuperCall(node.expression) ? undefined : whole(node, ';')
  },

  'negate-condition'({ node, text }) {
    if (!['IfStatement', 'WhileStatement', 'ConditionalExpression'].includes(node.type))
      return undefined
    return whole(node.test, `!(${text(node.test)})`)
  },

  'swap-comparison'({ node, source }) {
    const other = node.type === 'BinaryExpression' ? COMPARISONS[node.operator] : undefined
    return other && between(source, node.left, node.right, node.operator, other)
  },

  'swap-and-or'({ node, source }) {
    if (node.type !== 'LogicalExpression' || node.operator === '??') return undefined
    const other = node.operator === '&&' ? '||' : '&&'
    return between(source, node.left, node.right, node.operator, other)
  },

  'drop-fallback'({ node, text }) {
    if (node.type !== 'LogicalExpression' || node.operator !== '??') return undefined
    return whole(node, text(node.left))
  },

  'swap-operands'({ node, text }) {
    if (node.type === 'BinaryExpression' && ['-', '/', '%'].includes(node.operator)) {
      return whole(node, `${text(node.right)} ${node.operator} ${text(node.left)}`)
    }
    if (!isCall(node) || node.arguments.length < 2) return undefined
    const [first, second] = node.arguments
    if (first.type === 'SpreadElement' || second.type === 'SpreadElement') return undefined
    const edit = { start: first.start, end: second.end }
    return [{ ...edit, replace: `${text(second)}, ${text(first)}` }]
  },

  'off-by-one'({ node, text, source }) {
    if (node.type === 'MemberExpression' && node.computed) {
      const { property } = node
      if (typeof property.value === 'string') return undefined
      return whole(property, `(${text(property)}) + 1`)
    }
    if (node.type !== 'BinaryExpression' || node.right.value !== 1) return undefined
    const other = { '+': '-', '-': '+' }[node.operator]
    return other && between(source, node.left, node.right, node.operator, other)
  },

  'drop-await'({ node, text }) {
    return node.type === 'AwaitExpression' ? whole(node, text(node.argument)) : undefined
  },

  'drop-argument'({ node, source }) {
    if (!isCall(node) || isSuperCall(node)) return undefined
    const last = node.arguments.at(-1)
    if (last === undefined) return undefined
    const before = node.arguments.at(-2)
    const start = before === undefined ? last.start : before.end
    return [{ start, end: last.end + commaAfter(source, last.end), replace: '' }]
  },

  'replace-constant'({ node, parents, key }) {
    if (node.type !== 'Literal' || isName(parents, key)) return undefined
    if (typeof node.value === 'number') return whole(node, String(node.value + 1))
    return typeof node.value === 'boolean' ? whole(node, String(!node.value)) : undefined
  },

  'empty-text'({ node, parents, key }) {
    if (node.type === 'TemplateLiteral') return whole(node, "''")
    if (node.type !== 'Literal' || typeof node.value !== 'string' || node.value === '')
      return undefined
    return isName(parents, key) || key === 'expression' ? undefined : whole(node, "''")
  },

  'skip-call'({ node, text }) {
    if (node.type !== 'ReturnStatement' || node.argument === null) return undefined
    const { argument } = node
    return isCall(argument) || text(argument).startsWith('await ')
      ? whole(argument, 'undefined')
      : undefined
  },

  'drop-field'({ node, source }) {
    if (node.type !== 'ObjectExpression' || node.properties.length === 0) return undefined
    return node.properties.map(({ start, end }) => ({
      start,
      end: end + commaAfter(source, end),
      replace: '',
    }))
  },
}
