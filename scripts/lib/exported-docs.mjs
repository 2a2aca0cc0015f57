import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { parseSync } from 'oxc-parser'

/** Interfaces that people fill in: of each field an editor is to say what it is. */
const FILLED_IN = /(?:Options|Config|Limits|Dependencies)$/

/**
 * Names that a module exports to whoever uses its package, and that say nothing of themselves in an
 * editor: their declarations have no doc comment, nor have fields of options and the like.
 *
 * @param {string} entry a source file, as `src/index.ts`
 * @param {string} root what the files in the answer are relative to
 * @returns {string[]} as `src/a.ts:12 nameOfIt`, sorted
 */
export function undocumentedExports(entry, root) {
  /** @type {Set<string>} */
  const missing = new Set()
  const seen = new Set()
  walk(
    entry,
    undefined,
    (file, line, name) => missing.add(`${relative(root, file)}:${line} ${name}`),
    seen,
  )
  return [...missing].toSorted((a, b) => (a < b ? -1 : 1))
}

/** @param {string | undefined} only a name; all where absent */
function walk(file, only, report, seen) {
  const key = `${file} ${only ?? '*'}`
  if (seen.has(key)) return
  seen.add(key)
  const text = readFileSync(file, 'utf8')
  const { program, comments } = parseSync(file, text)
  const docs = comments.filter(({ type, value }) => type === 'Block' && value.startsWith('*'))
  const documented = (at) => docs.some(({ end }) => end <= at && text.slice(end, at).trim() === '')
  const lineOf = (at) => text.slice(0, at).split('\n').length
  const wanted = (name) => only === undefined || only === name
  const declared = new Map()
  for (const statement of program.body) {
    const declaration = statement.declaration ?? statement
    for (const name of namesOf(declaration)) {
      // Overloads: one comment is enough.
      const known = declared.get(name)
      declared.set(name, {
        start: known?.start ?? statement.start,
        documented: known?.documented === true || documented(statement.start),
        exported: known?.exported === true || statement.type === 'ExportNamedDeclaration',
        fields: [...(known?.fields ?? []), ...fieldsOf(declaration)],
      })
    }
  }
  const check = (name, shown = name) => {
    const found = declared.get(name)
    if (found === undefined) return
    if (!found.documented) report(file, lineOf(found.start), shown)
    for (const { start, key } of found.fields) {
      if (!documented(start))
        report(file, lineOf(start), `${shown}.${text.slice(key.start, key.end)}`)
    }
  }
  for (const [name, { exported }] of declared) if (exported && wanted(name)) check(name)
  for (const statement of program.body) {
    const source = statement.source?.value
    const next = source?.startsWith('.') ? join(dirname(file), source) : undefined
    if (statement.type === 'ExportAllDeclaration' && next !== undefined) {
      walk(next, only, report, seen)
    }
    if (statement.type !== 'ExportNamedDeclaration') continue
    for (const { local, exported } of statement.specifiers ?? []) {
      if (!wanted(exported.name)) continue
      if (next !== undefined) walk(next, local.name, report, seen)
      else if (source === undefined) {
        if (declared.has(local.name)) check(local.name, exported.name)
        else imported(program, local.name, file, report, seen)
      }
    }
  }
}

/** What is imported from a file of the package, and exported again. */
function imported(program, name, file, report, seen) {
  for (const { type, source, specifiers } of program.body) {
    if (type !== 'ImportDeclaration' || !source.value.startsWith('.')) continue
    const found = specifiers.find(({ local }) => local.name === name)
    if (found?.imported !== undefined) {
      walk(join(dirname(file), source.value), found.imported.name, report, seen)
    }
  }
}

function fieldsOf({ type, id, body }) {
  return type === 'TSInterfaceDeclaration' && FILLED_IN.test(id.name)
    ? body.body.filter(({ key }) => key !== undefined)
    : []
}

function namesOf(declaration) {
  switch (declaration.type) {
    case 'VariableDeclaration':
      return declaration.declarations.flatMap(({ id }) =>
        id.type === 'Identifier' ? [id.name] : [],
      )
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
    case 'TSDeclareFunction':
    case 'TSInterfaceDeclaration':
    case 'TSTypeAliasDeclaration':
    case 'TSEnumDeclaration':
      return declaration.id === null ? [] : [declaration.id.name]
    default:
      return []
  }
}
