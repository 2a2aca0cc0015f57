import type { Context, Events } from '@deepseek-ai/cordis'

type Notification = 'session/created' | 'session/event' | 'session/disposed'

/**
 * Tells every listener of a notification, each on its own: what one throws or rejects with is
 * logged and keeps nothing from the others. (`ctx.emit` stops at the first that throws.)
 */
export function notify<K extends Notification>(
  ctx: Context,
  name: K,
  ...args: Parameters<Events[K]>
): void {
  const report = (error: unknown): void => {
    ctx.logger.error('an observer of %s failed', name, error)
  }
  for (const listener of ctx.events.dispatch('emit', [name, ...args])) {
    try {
      const returned: unknown = listener(...args)
      if (returned instanceof Promise) returned.catch(report)
    } catch (error) {
      report(error)
    }
  }
}
