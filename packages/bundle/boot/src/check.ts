import type { Context, Fiber } from '@deepseek-ai/cordis'
import type { Entry } from '@deepseek-ai/cordis-plugin-loader'
import { causesOf, describe } from './describe.ts'
import type { ImportLog } from './import-log.ts'
import { ReadOnlyInclude } from './include.ts'
import type { RowProblem } from './types.ts'

/** Cordis's fiber states, which are a const enum there and so have no value at run time. */
const PENDING = 0
const LOADING = 1
const ACTIVE = 2
const FAILED = 3

const STARTING = 'is still starting'

const stateNumber = (fiber: Fiber): number => fiber.state

/** Every live plugin, mounted by a row or in code. */
export function allFibers(ctx: Context): Fiber[] {
  return [...ctx.registry.values()].flatMap((runtime) => [...runtime.fibers])
}

/** Resolves when nothing is being imported, started or unloaded any more. */
export async function settled(ctx: Context): Promise<void> {
  for (;;) {
    await ctx.loader.await()
    // The loader looks at its rows only, not at what they mount.
    const busy = allFibers(ctx).flatMap((fiber) => fiber.inertia ?? [])
    if (busy.length === 0) return
    await Promise.allSettled(busy)
  }
}

function missingServices(fiber: Fiber): string[] {
  const wanted = Object.keys(fiber.inject)
  const missing = wanted.filter((name) => fiber.ctx.get(name) === undefined)
  // All are there, so one of them declares itself not ready.
  return missing.length > 0 ? missing : wanted
}

/** The errors that the plugin logged or died of; cordis logs some twice, and causes apart. */
function errorsOf(ctx: Context, fiber: Fiber): unknown[] {
  const errors = ctx.logger.buffer
    .filter((message) => message.type === 'error' && message.fiber?.deref() === fiber)
    .map((message): unknown => message.args[0])
  const causes = new Set(errors.flatMap(causesOf))
  return [...new Set(errors)].filter((error) => !causes.has(error))
}

type State = Pick<RowProblem, 'reason' | 'waitsFor' | 'errors'>

function inactive(ctx: Context, fiber: Fiber): State {
  const errors = errorsOf(ctx, fiber)
  const current = stateNumber(fiber)
  const state = { waitsFor: [], errors }
  if (current === PENDING) {
    const waitsFor = missingServices(fiber)
    return { reason: `waits for ${waitsFor.join(', ')}`, waitsFor, errors }
  }
  if (current === LOADING) return { ...state, reason: STARTING }
  if (current === FAILED) {
    // Cordis tries again when a service that the plugin injects changes; the same words twice say
    // no more.
    const texts = [...new Set(errors.map(describe))]
    return { ...state, reason: `failed: ${texts.join('; ')}` }
  }
  return { ...state, reason: 'was disposed' }
}

function withoutFiber(ctx: Context, imports: ImportLog, entry: Entry): State {
  const { name } = entry.options
  if (entry._initTask !== undefined)
    return { reason: 'is still importing', waitsFor: [], errors: [] }
  const failure = imports.failureOf(name, String(entry.parent.tree.ctx.baseUrl))
  if (failure !== undefined) return { reason: failure.message, waitsFor: [], errors: [failure] }
  if (name.startsWith('cordis:')) {
    const known = Object.keys(ctx.loader.builtins).map((key) => `cordis:${key}`)
    const reason = `there is no ${name}; there are ${known.join(', ')}`
    return { reason, waitsFor: [], errors: [] }
  }
  return { reason: 'did not start; see the errors below', waitsFor: [], errors: [] }
}

/** What keeps the row from running, or undefined: it runs, or is off. */
function stateOf(ctx: Context, imports: ImportLog, entry: Entry): State | undefined {
  if (entry.fiber !== undefined && stateNumber(entry.fiber) === ACTIVE) return undefined
  try {
    if (entry.disabled) return undefined
  } catch (error) {
    const reason = `its "disabled" expression throws: ${describe(error)}`
    return { reason, waitsFor: [], errors: [error] }
  }
  return entry.fiber === undefined ? withoutFiber(ctx, imports, entry) : inactive(ctx, entry.fiber)
}

function whereIs(entry: Entry): Pick<RowProblem, 'id' | 'file'> {
  const { tree } = entry.parent
  // The row that mounts the composition itself is ours; ids below it start after its own.
  const id = entry.id.includes(':') ? entry.id.slice(entry.id.indexOf(':') + 1) : entry.id
  return tree instanceof ReadOnlyInclude ? { id, file: tree.filename } : { id }
}

/**
 * A plugin that a row mounts in code is part of the row: it must not fail, and if it has a name it
 * must not wait either. An inline `ctx.inject([…], () => …)` has no name and may wait for ever,
 * since that is how an optional dependency is written.
 */
function isBroken(fiber: Fiber): boolean {
  if (stateNumber(fiber) === PENDING) return Boolean(fiber.runtime?.name)
  return stateNumber(fiber) !== ACTIVE
}

/** Everything that keeps the composition from being whole; empty when it may run. */
export function findProblems(ctx: Context, imports: ImportLog): RowProblem[] {
  const problems: RowProblem[] = []
  const holders: RowProblem[] = []
  const rowFibers = new Set<Fiber>()
  for (const entry of ctx.loader.entries()) {
    if (entry.fiber !== undefined) rowFibers.add(entry.fiber)
    const state = stateOf(ctx, imports, entry)
    if (state === undefined) continue
    const problem = { ...whereIs(entry), name: entry.options.name, ...state }
    // An include or a group is starting for as long as a row in it is: that row is the news.
    const holds = entry.subtree !== undefined || entry.subgroup !== undefined
    if (holds && state.reason === STARTING) holders.push(problem)
    else problems.push(problem)
  }
  for (const fiber of allFibers(ctx)) {
    if (rowFibers.has(fiber) || !isBroken(fiber)) continue
    const where = fiber.entry === undefined ? { id: 'host' } : whereIs(fiber.entry)
    problems.push({ ...where, name: fiber.name, ...inactive(ctx, fiber) })
  }
  return problems.length > 0 ? problems : holders
}
