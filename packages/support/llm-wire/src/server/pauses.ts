import { WireError } from '../error.ts'
import type { WirePause } from '../types.ts'
import { settle } from './settle.ts'

interface Place {
  seen: boolean
  readonly watchers: Set<{ readonly resolve: () => void; readonly reject: (e: Error) => void }>
  readonly held: Set<() => void>
}

/** Where answers stop on purpose, by name: who waits for a stop, and what is stopped there. */
export class Pauses {
  private readonly places: Map<string, Place>
  private closed = false

  private readonly onPause: (pause: WirePause) => void

  constructor(names: readonly string[], onPause: (pause: WirePause) => void) {
    this.onPause = onPause
    this.places = new Map(
      names.map((name) => [name, { seen: false, watchers: new Set(), held: new Set() }]),
    )
  }

  /** Stops here until the signal aborts or, at a hold, until it is released. */
  async stop(pause: WirePause, signal: AbortSignal): Promise<void> {
    const place = this.place(pause.name)
    let release: (() => void) | undefined
    await settle(signal, (done) => {
      release = done
      if (pause.kind === 'hold') place.held.add(done)
      place.seen = true
      this.onPause(pause)
      for (const watcher of place.watchers) watcher.resolve()
      place.watchers.clear()
    })
    if (release !== undefined) place.held.delete(release)
  }

  reached(name: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const place = this.place(name)
      if (place.seen) resolve()
      else if (this.closed) reject(closedBefore(name))
      else place.watchers.add({ resolve, reject })
    })
  }

  release(name: string): number {
    const { held } = this.place(name)
    const releases = [...held]
    if (releases.length === 0) {
      throw new WireError(
        'NOT_HELD',
        `no request is held at "${name}" now; await reached("${name}") before release("${name}")`,
      )
    }
    // At once, so that a second release right after does not count the same requests.
    held.clear()
    for (const release of releases) release()
    return releases.length
  }

  close(): void {
    this.closed = true
    for (const [name, { watchers }] of this.places) {
      for (const watcher of watchers) watcher.reject(closedBefore(name))
      watchers.clear()
    }
  }

  private place(name: string): Place {
    const place = this.places.get(name)
    if (place !== undefined) return place
    const known = [...this.places.keys()].map((other) => `"${other}"`).join(', ')
    throw new WireError(
      'UNKNOWN_PAUSE',
      `the script has no hang or hold named "${name}" (it has: ${known === '' ? 'none' : known})`,
    )
  }
}

function closedBefore(name: string): WireError {
  return new WireError('CLOSED', `the model was closed before a request reached "${name}"`)
}
