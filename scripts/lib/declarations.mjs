import { posix } from 'node:path'
import { parseSync } from 'oxc-parser'

/**
 * What somebody who uses an entry of a package cannot make anything of: `any`, and types that stand in
 * what is exported but are exported by no entry, so that nobody can name them.
 *
 * @param {ReadonlyMap<string, string>} files of the package, declarations among them, by path
 * @param {readonly string[]} entries paths of the declarations of each entry
 * @returns {string[]} a line each, sorted
 */
export function declarationProblems(files, entries) {
  const modules = new Map()
  const moduleOf = (path) => {
    if (!modules.has(path)) modules.set(path, readModule(path, files))
    return modules.get(path)
  }
  const exported = new Set(entries.flatMap((entry) => [...exportsOf(entry, moduleOf).values()]))
  const problems = new Set()
  for (const place of exported) {
    const [path, name] = place.split(' ')
    const { declared } = moduleOf(path)
    for (const node of declared.get(name) ?? []) {
      for (const { any, type } of typesIn(node)) {
        if (any) problems.add(`${path}: any in ${name}`)
        else {
          const target = resolve(path, type, moduleOf)
          if (target === undefined || exported.has(target)) continue
          problems.add(`${path}: ${name} shows ${type}, which nothing exports`)
        }
      }
    }
  }
  return [...problems].toSorted((a, b) => (a < b ? -1 : 1))
}

/** A module's own declarations by name, and where its other names come from. */
function readModule(path, files) {
  const text = files.get(path)
  if (text === undefined) throw new Error(`${path} is not in the package`)
  const { program } = parseSync(path, text)
  const declared = new Map()
  const imported = new Map()
  const own = new Map()
  const onward = []
  for (const statement of program.body) {
    const { declaration, source } = statement
    const from = source?.value.startsWith('.')
      ? posix.join(posix.dirname(path), source.value).replace(/\.[jt]s$/, '.d.ts')
      : undefined
    if (statement.type === 'ImportDeclaration') {
      for (const { local, imported: name } of statement.specifiers) {
        if (from !== undefined && name !== undefined) imported.set(local.name, [from, name.name])
      }
    } else if (statement.type === 'ExportAllDeclaration') {
      if (from !== undefined) onward.push(from)
    } else if (statement.type === 'ExportNamedDeclaration' && declaration === null) {
      for (const { local, exported } of statement.specifiers) {
        if (from !== undefined) own.set(exported.name, [from, local.name])
        else if (source === null) own.set(exported.name, [path, local.name])
      }
    } else {
      for (const name of namesOf(declaration ?? statement)) {
        declared.set(name, [...(declared.get(name) ?? []), declaration ?? statement])
        if (declaration !== undefined) own.set(name, [path, name])
      }
    }
  }
  return { declared, imported, own, onward }
}

/** The names that a module exports, each with the place where it is declared, as `dist/a.d.ts A`. */
function exportsOf(path, moduleOf, seen = new Set()) {
  if (seen.has(path)) return new Map()
  seen.add(path)
  const { own, onward } = moduleOf(path)
  const all = new Map()
  for (const next of onward) {
    for (const [name, place] of exportsOf(next, moduleOf, seen)) all.set(name, place)
  }
  for (const [name, [from, local]] of own) {
    const place = from === path ? resolve(path, local, moduleOf) : placeIn(from, local, moduleOf)
    if (place !== undefined) all.set(name, place)
  }
  return all
}

/** Where a name that a module uses is declared; nothing for what comes from elsewhere. */
function resolve(path, name, moduleOf) {
  const { declared, imported } = moduleOf(path)
  if (declared.has(name)) return `${path} ${name}`
  const from = imported.get(name)
  return from === undefined ? undefined : placeIn(...from, moduleOf)
}

function placeIn(path, name, moduleOf) {
  return exportsOf(path, moduleOf).get(name)
}

function namesOf(declaration) {
  if (declaration.type === 'VariableDeclaration') {
    return declaration.declarations.map(({ id }) => id.name)
  }
  return declaration.id?.name === undefined ? [] : [declaration.id.name]
}

/** The types that a declaration names, its own type parameters and private members aside. */
function* typesIn(node, bound = new Set()) {
  if (Array.isArray(node)) {
    for (const item of node) yield* typesIn(item, bound)
    return
  }
  if (typeof node !== 'object' || node === null || node.accessibility === 'private') return
  if (node.type === 'TSAnyKeyword') yield { any: true }
  const names = parametersOf(node)
  const inner = names.length === 0 ? bound : new Set([...bound, ...names])
  const type = nameUsed(node)
  if (type !== undefined && !inner.has(type)) yield { type }
  for (const [key, value] of Object.entries(node)) {
    if (key !== 'type' && key !== 'parent') yield* typesIn(value, inner)
  }
}

function parametersOf({ type, typeParameters, key, typeParameter }) {
  if (type === 'TSMappedType') return [key?.name ?? typeParameter?.name.name]
  return (typeParameters?.params ?? []).map(({ name }) => name.name)
}

/** The first part of the name that a node refers to a type, or the type of a value, by. */
function nameUsed({ type, typeName, exprName, expression, superClass }) {
  if (type === 'TSTypeReference') return leftmost(typeName)
  if (type === 'TSTypeQuery') return leftmost(exprName)
  if (type === 'TSInterfaceHeritage' || type === 'TSClassImplements') return leftmost(expression)
  if (type === 'ClassDeclaration' && superClass !== null) return leftmost(superClass)
  return undefined
}

function leftmost(name) {
  if (name.type === 'Identifier') return name.name
  if (name.type === 'TSQualifiedName') return leftmost(name.left)
  return name.type === 'MemberExpression' ? leftmost(name.object) : undefined
}
