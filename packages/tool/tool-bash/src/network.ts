import type { RunRequest } from './run.ts'
import type { CommandEnd } from './render.ts'

/** Ways to enter an empty network namespace; the first keeps the user's id, the second is older. */
const FORMS = [
  ['unshare', '--map-current-user', '-n'],
  ['unshare', '-rn'],
] as const
const PROBE_TIMEOUT_MS = 5000

/** What a probe needs of the first call that asks for isolation. */
export type ProbeContext = Pick<RunRequest, 'cwd' | 'env' | 'clock'>

/** Finds out once how commands can be kept off the network, and says once where they cannot. */
export class NetworkIsolation {
  private readonly run: (request: RunRequest) => Promise<CommandEnd>
  private found: Promise<readonly string[]> | undefined

  constructor(run: (request: RunRequest) => Promise<CommandEnd>) {
    this.run = run
  }

  /** The words to put before a command; none where the system offers no way. */
  prefix(context: ProbeContext, warn: (message: string) => void): Promise<readonly string[]> {
    this.found ??= this.probe(context, warn)
    return this.found
  }

  private async probe(
    context: ProbeContext,
    warn: (message: string) => void,
  ): Promise<readonly string[]> {
    for (const form of FORMS) {
      if (await this.works(form, context)) return form
    }
    warn('commands keep their network: this system does not let unshare make a network namespace')
    return []
  }

  private async works(
    form: readonly [string, ...string[]],
    context: ProbeContext,
  ): Promise<boolean> {
    const [file, ...args] = form
    // Not the call's own signal: a cancelled first call must not decide for all others.
    const { signal } = new AbortController()
    try {
      const end = await this.run({
        ...context,
        file,
        args: [...args, 'true'],
        timeoutMs: PROBE_TIMEOUT_MS,
        signal,
      })
      return end.exitCode === 0
    } catch {
      return false
    }
  }
}
