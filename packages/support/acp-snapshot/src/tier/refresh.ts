import { headerFixtures, logFixtures, stdoutFixture } from '../record/fixtures.ts'
import { Workbench } from '../record/workbench.ts'
import { removeFolder } from '../run/folder.ts'
import { logFileName } from '../scenario/files.ts'
import type { Scenario } from '../scenario/types.ts'
import type { NormalRun } from '../verdict/normal-run.ts'
import type { Finding, Verdict } from '../verdict/types.ts'
import { publish } from './publish.ts'
import { replayScenario } from './replay.ts'
import type { ReplayOutcome, TierOptions } from './types.ts'

/** How a scenario is refreshed. */
export interface RefreshOptions extends TierOptions {
  /** A folder that receives a whole copy of the scenario; its own folder is left as it is. */
  readonly out?: string
  /** Where the values of secrets are taken from. Default: the process's environment. */
  readonly env?: Readonly<Record<string, string | undefined>>
}

/** What became of a refresh. */
export interface RefreshOutcome extends ReplayOutcome {
  /** Names of the files that were written; empty when the scenario was up to date or is red. */
  readonly written: readonly string[]
  /** Why nothing was written, where the verdict alone does not say. */
  readonly problem?: string
}

/** What each kind of difference has rewritten. Every other finding is a fault to look at. */
const REWRITES: Partial<Record<Finding['kind'], 'logs' | 'stdout' | 'header'>> = {
  'log-differs': 'logs',
  'log-missing': 'logs',
  'log-extra': 'logs',
  'stdout-missing': 'stdout',
  'stdout-differs': 'stdout',
  'header-differs': 'header',
}

/**
 * Rewrites what the current code says and writes, with the model answers as recorded. Writes only
 * where replay itself reported nothing and the new files replay green; otherwise the verdict says
 * what is wrong, and what helps (`re-record` where other calls are made than were recorded).
 * @throws SnapshotError `BUSY`, `CANNOT_WRITE`
 */
export async function refreshScenario(
  scenario: Scenario,
  options: RefreshOptions,
): Promise<RefreshOutcome> {
  const outcome = await replayScenario(scenario, options)
  const { verdict, normal } = outcome
  const kinds = verdict.findings.map(({ kind }) => kind)
  const drifted = kinds.includes('request-drift')
  // New logs imply other requests; whether those are the ones that came is for their replay to say.
  const wanted = new Set(
    kinds.filter((kind) => kind !== 'request-drift').map((kind) => REWRITES[kind]),
  )
  const nothing = drifted ? !wanted.has('logs') : wanted.size === 0 && options.out === undefined
  if (wanted.has(undefined) || nothing) {
    return { ...outcome, written: [] }
  }
  let kept: string | undefined
  try {
    const refreshed = await rewrite(scenario, options, outcome, rewritten(normal, wanted))
    kept = refreshed.verdict.runDir
    return refreshed
  } finally {
    // What was rewritten need not be looked into any more.
    if (verdict.runDir !== undefined && verdict.runDir !== kept) await removeFolder(verdict.runDir)
  }
}

async function rewrite(
  scenario: Scenario,
  options: RefreshOptions,
  { verdict, normal }: ReplayOutcome,
  files: ReadonlyMap<string, string>,
): Promise<RefreshOutcome> {
  const { out } = options
  const bench = await Workbench.open(scenario, out === undefined ? {} : { out })
  try {
    const logs = files.has(logFileName(0)) ? 'replaced' : 'kept'
    const publication = await publish(
      bench,
      { files, logs, env: options.env ?? process.env },
      options,
    )
    if (publication.kind === 'published') {
      return { verdict: publication.proof, normal, written: publication.written }
    }
    const { problem, proof } = publication
    return { verdict: proof ?? red(verdict), normal, written: [], problem }
  } finally {
    await bench.close()
  }
}

/** Logs name one another, so they are rewritten together or not at all. */
function rewritten(normal: NormalRun, wanted: ReadonlySet<unknown>): Map<string, string> {
  return new Map([
    ...(wanted.has('logs') ? logFixtures(normal) : []),
    ...(wanted.has('stdout') ? stdoutFixture(normal) : []),
    ...(wanted.has('header') ? headerFixtures(normal) : []),
  ])
}

function red(verdict: Verdict): Verdict {
  return { ...verdict, status: 'failed', remedy: 'fix' }
}
