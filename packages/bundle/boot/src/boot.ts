import { fileURLToPath, pathToFileURL } from 'node:url'
import { Context } from '@deepseek-ai/cordis'
import { Group, Loader, type ModuleLoader } from '@deepseek-ai/cordis-plugin-loader'
import { systemClock } from 'dsh-brand'
import { bounded } from './bounded.ts'
import { allFibers, findProblems, settled } from './check.ts'
import { BootError } from './error.ts'
import { logImports } from './import-log.ts'
import { nodeImporter } from './importer.ts'
import { ReadOnlyInclude } from './include.ts'
import { attachLog } from './log.ts'
import { stripUndefined } from './strip-undefined.ts'
import type { BootOptions, Composition } from './types.ts'

/** The id of the row that mounts the composition's file. */
const ROOT = 'composition'

function fileUrl(config: URL | string): URL {
  if (config instanceof URL) return config
  return config.startsWith('file:') ? new URL(config) : pathToFileURL(config)
}

/** Unset environment variables in a row's config are absent keys to its schema. */
function stripRowConfigs(ctx: Context): void {
  ctx.on(
    'internal/config',
    function (_config, next) {
      const config: unknown = next()
      // Only what came from a row: what a plugin passes to another in code is its own affair.
      const fromRow = this.entry !== undefined && this.parent.fiber.entry !== this.entry
      return fromRow ? stripUndefined(config) : config
    },
    // First in the chain, so that it sees what the loader's own listener has evaluated.
    { global: true, prepend: true },
  )
}

/**
 * Mounts a composition file and resolves once every row that is not disabled is active. Otherwise
 * disposes what was mounted and rejects with `BootError` `NOT_LOADED`, whose message lists each row
 * that does not run and why, together with the errors that cordis would have swallowed. Nothing of
 * the file is ever written back.
 */
export async function bootComposition(options: BootOptions): Promise<Composition> {
  const url = fileUrl(options.config)
  const file = fileURLToPath(url)
  const clock = options.clock ?? systemClock
  const imports = logImports(options.importer ?? nodeImporter())
  const ctx = new Context()
  const log = attachLog(ctx, options.level ?? 'warn', options.stderr ?? process.stderr)

  let disposal: Promise<void> | undefined
  const dispose = (): Promise<void> => {
    const ms = options.disposeTimeoutMs ?? 10_000
    disposal ??= bounded(clock, ms, ctx.fiber.dispose(), () => {
      const names = allFibers(ctx).map((fiber) => fiber.name)
      const message = `${file}: clean-up took longer than ${ms} ms; still there: ${names.join(', ')}`
      return new BootError('DISPOSE_TIMEOUT', message)
    }).finally(() => log.detach())
    return disposal
  }

  const start = async (): Promise<void> => {
    await ctx.plugin(Loader, { baseUrl: new URL('.', url).href })
    const { loader } = ctx
    loader.internal = imports as unknown as ModuleLoader
    loader.builtins.include = ReadOnlyInclude
    loader.builtins.group = Group
    stripRowConfigs(ctx)
    await options.prepare?.(ctx)
    const config = { path: url.href, ...(options.patches && { patches: [...options.patches] }) }
    await loader.create({ id: ROOT, name: 'cordis:include', config } as { name: string })
    await settled(ctx)
  }

  try {
    const ms = options.timeoutMs ?? 30_000
    let late = ''
    await bounded(clock, ms, start(), () => new TimeoutMark()).catch((error: unknown) => {
      if (!(error instanceof TimeoutMark)) throw error
      late = ` after ${ms} ms`
    })
    const problems = findProblems(ctx, imports)
    if (problems.length > 0 || late !== '') {
      const { notLoaded } = await import('./report.ts')
      throw notLoaded(ctx, file, problems, ROOT, late)
    }
  } catch (error) {
    // The boot error is what matters; a clean-up that hangs must not hide it.
    await dispose().catch(() => undefined)
    throw error
  }
  log.release()
  return { ctx, dispose }
}

/** Tells our own bound from a rejection of `prepare`. */
class TimeoutMark extends Error {}
