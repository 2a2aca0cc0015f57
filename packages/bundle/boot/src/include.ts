import { type Context, Service } from '@deepseek-ai/cordis'
import { Include } from '@deepseek-ai/cordis-plugin-include'
import { BootError } from './error.ts'
import { mergeRows, readRows } from './rows.ts'

function checked(config: Partial<Include.Config> | null | undefined): Include.Config {
  if (typeof config?.path !== 'string') {
    throw new BootError(
      'INVALID_ROWS',
      'an include needs config.path, a text: "!!js" is not evaluated in an include\'s own config',
    )
  }
  if (config.initial !== undefined) {
    throw new BootError('READ_ONLY', 'an include here is read-only: remove config.initial')
  }
  return config as Include.Config
}

/**
 * The include that `cordis:include` stands for: it checks rows and patches before they are mounted,
 * and never writes. (The original rewrites the user's file, comments lost, whenever a plugin disposes
 * itself.)
 */
export class ReadOnlyInclude extends Include {
  constructor(ctx: Context, config: Include.Config) {
    super(ctx, checked(config))
    // Assigned, not declared: isolated declarations cannot have a method of this computed name.
    this[Service.init] = () => this.mount()
  }

  private async *mount(): AsyncGenerator<() => Promise<void>, void, unknown> {
    const rows = await readRows(this.filename)
    const merged = mergeRows(rows, this.config.patches, this.filename, this.patchedBy())
    // The inherited `internal/update` listener patches these anew when the include row changes.
    this['data'] = rows
    yield () => this.stop()
    await this.root.update(merged)
  }

  override write(): void {}

  private patchedBy(): string {
    const tree = this.ctx.fiber.entry?.parent.tree
    return tree instanceof ReadOnlyInclude ? tree.filename : 'the caller'
  }
}
