import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inLayoutsOf } from '../record/layout.ts'
import { describeSecret, findSecrets } from '../record/secrets.ts'
import { secretShapes } from '../record/secret-shapes.ts'
import { defaultModelEnv, keysOf } from '../run/model-env.ts'
import type { Workbench } from '../record/workbench.ts'
import type { Scenario } from '../scenario/types.ts'
import type { Verdict } from '../verdict/types.ts'
import { replayScenario } from './replay.ts'
import type { TierOptions } from './types.ts'

/** Files that are to be put into the folder of a scenario. */
export interface Proposal {
  /** New texts by file name. A log is written in the layout that it has in the scenario's folder. */
  readonly files: ReadonlyMap<string, string>
  /** Whether these are all the logs, or the logs stay as they are. */
  readonly logs: 'replaced' | 'kept'
  /** Where the values of secrets are taken from. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** A last look at the replay that proved the files. */
  readonly check?: (proof: Verdict) => string | undefined
}

/** What became of a proposal. */
export type Publication =
  | { readonly kind: 'published'; readonly written: readonly string[]; readonly proof: Verdict }
  /** `proof` where the files were replayed, and that was red. */
  | { readonly kind: 'withheld'; readonly problem: string; readonly proof?: Verdict }

/**
 * The one way into a scenario's folder: nothing that holds a secret, and nothing that does not
 * replay green, from the very files that are put there.
 */
export async function publish(
  bench: Workbench,
  proposal: Proposal,
  options: TierOptions,
): Promise<Publication> {
  const { logs, env, check } = proposal
  const { modelEnv = defaultModelEnv } = options.agent
  const files = await inLayoutsOf(bench.source, proposal.files)
  const secrets = findSecrets(files, secretShapes(env, keysOf(modelEnv)))
  if (secrets.length > 0) {
    const where = secrets.map(describeSecret).join('; ')
    const problem = `it would commit what looks like a secret: ${where}; keep it out of what the model sees, or revoke it`
    return { kind: 'withheld', problem }
  }
  const staged = await bench.stage(files, logs)
  const verdict = await prove(staged, options)
  if (verdict.status === 'failed') {
    const problem = 'what was to be written does not replay'
    return { kind: 'withheld', problem, proof: { ...verdict, remedy: 'fix' } }
  }
  const problem = check?.(verdict)
  if (problem !== undefined) return { kind: 'withheld', problem }
  return { kind: 'published', written: await bench.publish(files), proof: verdict }
}

/**
 * Replays in a folder that lies deeper than that of the recording, so that a path of this machine
 * that found its way into an output shows as a difference.
 */
async function prove(staged: Scenario, options: TierOptions): Promise<Verdict> {
  const tempRoot = await mkdtemp(join(options.tempRoot ?? tmpdir(), 'dsh-proof-'))
  const { verdict } = await replayScenario(staged, { ...options, tempRoot })
  if (verdict.runDir === undefined) await rm(tempRoot, { recursive: true, force: true })
  return verdict
}
