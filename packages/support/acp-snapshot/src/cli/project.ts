import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { SnapshotError } from '../error.ts'
import { findConfig, loadConfig } from '../project/load.ts'
import type { Project } from '../project/types.ts'
import type { AgentCommand } from '../run/types.ts'
import type { TierOptions } from '../tier/types.ts'
import { scriptInvocation } from '../verdict/invocation.ts'
import type { Invocation } from '../verdict/types.ts'
import { parseAgentCommand } from './agent-command.ts'
import type { CommandContext } from './host.ts'
import { invocationFor } from './invocation.ts'

/** What a command line says of a project. */
export interface ProjectFlags {
  readonly config?: string
  readonly agent?: string
  readonly dir?: string
  readonly workers?: number
}

/** A project as a command sees it: its config file, and what the flags say instead. */
export interface CommandProject {
  readonly agent: AgentCommand
  /** Absolute. */
  readonly dir: string
  readonly workers: number
  readonly invocation: Invocation
  readonly tier: Pick<TierOptions, 'normalise' | 'timeoutMs' | 'tools'>
}

/**
 * The config file that `--config` names, or else the one of the working directory; flags go before
 * it. Without either, `--agent` has to say how the agent is started.
 * @throws SnapshotError `BAD_USAGE`, `BAD_CONFIG`
 */
export async function commandProject(
  flags: ProjectFlags,
  { cwd, env }: Pick<CommandContext, 'cwd' | 'env'>,
): Promise<CommandProject> {
  const file = flags.config === undefined ? findConfig(cwd) : resolve(cwd, flags.config)
  const project = file === undefined ? undefined : await loadConfig(file)
  return {
    agent: agentOf(flags, project, cwd),
    dir:
      flags.dir === undefined
        ? (project?.scenariosDir ?? resolve(cwd, 'tests/snapshots'))
        : resolve(cwd, flags.dir),
    workers: countOf('--workers', flags.workers, project?.concurrency ?? availableParallelism()),
    invocation:
      project === undefined
        ? invocationFor({ env, dir: flags.dir, agent: flags.agent })
        : scriptInvocation(project.invocation),
    tier: {
      ...(project?.normalise !== undefined && { normalise: project.normalise }),
      ...(project?.timeoutMs !== undefined && { timeoutMs: project.timeoutMs }),
      ...(project?.tools !== undefined && { tools: project.tools }),
    },
  }
}

function agentOf({ agent }: ProjectFlags, project: Project | undefined, cwd: string): AgentCommand {
  const more = {
    ...(project?.env !== undefined && { env: project.env }),
    ...(project?.modelEnv !== undefined && { modelEnv: project.modelEnv }),
  }
  if (agent !== undefined) return { ...parseAgentCommand(agent, cwd), ...more }
  if (project !== undefined) return { command: project.command, ...more }
  throw new SnapshotError(
    'BAD_USAGE',
    '--agent is missing: give --agent "node agent.js", or write its "command" in a dsh-snapshot.config.json',
  )
}

/** @throws SnapshotError `BAD_USAGE` */
export function countOf(flag: string, given: number | undefined, otherwise: number): number {
  if (given === undefined) return otherwise
  if (Number.isInteger(given) && given >= 1) return given
  throw new SnapshotError('BAD_USAGE', `${flag} must be a whole number from 1, got ${given}`)
}
