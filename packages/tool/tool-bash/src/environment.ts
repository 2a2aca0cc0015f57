import type { Environment } from './config.ts'

/** Names the run, so that whoever started the agent finds every descendant and can end it. */
const RUN_ID = 'DSH_SNAPSHOT_RUN'

const SECRET =
  /(^|_)(API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|SECRET_?KEY|KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?)(_|$)/i

/** What a command sees of the agent's environment. */
export function commandEnvironment(
  kind: 'inherit' | 'scrubbed',
  env: Environment,
): Record<string, string> {
  return kind === 'scrubbed' ? scrubbed(env) : inherited(env)
}

/** The same on every machine, as far as that can be. */
function scrubbed(env: Environment): Record<string, string> {
  return {
    ...pick(env, (name) => name === 'PATH' || name === 'HOME' || name === RUN_ID),
    LC_ALL: 'C.UTF-8',
    TZ: 'UTC',
  }
}

/** Our own variables steer the agent and its replay; no command has any business with them. */
function inherited(env: Environment): Record<string, string> {
  return pick(env, (name) => name === RUN_ID || !(name.startsWith('DSH_') || SECRET.test(name)))
}

function pick(env: Environment, keep: (name: string) => boolean): Record<string, string> {
  const picked: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && keep(name)) picked[name] = value
  }
  return picked
}
