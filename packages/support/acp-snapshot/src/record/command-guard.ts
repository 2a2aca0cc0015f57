import { posix } from 'node:path'
import { type SimpleCommand, simpleCommands } from './shell-words.ts'

/** Why a command is not one to be run by every replay, on any machine. */
export interface CommandProblem {
  /** What `allowCommands` would have to name. */
  readonly name: string
  readonly reason: string
}

const CWD = '{{cwd}}'
const PRIVILEGE = new Set(['sudo', 'doas', 'su', 'pkexec'])
const SHELLS = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'fish'])
const NETWORK = new Set(
  (
    'curl wget http https nc ncat netcat socat telnet ssh scp sftp rsync ftp tftp ping traceroute ' +
    'dig nslookup host whois npx uvx pipx docker podman gh aws gcloud az kubectl'
  ).split(' '),
)
/** Programs that go out for some of their subcommands only. */
const NETWORK_BY_SUBCOMMAND: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  (
    [
      ['git', 'clone fetch pull push ls-remote submodule'],
      ['npm', 'install i ci add update publish create exec'],
      ['pnpm', 'install i add update publish create dlx'],
      ['yarn', 'install add upgrade publish create dlx'],
      ['pip', 'install download'],
      ['pip3', 'install download'],
      ['uv', 'add sync pip'],
      ['cargo', 'install fetch publish'],
      ['go', 'get install'],
      ['gem', 'install'],
      ['apt', 'install update upgrade'],
      ['apt-get', 'install update upgrade'],
      ['brew', 'install update upgrade'],
    ] as const
  ).map(([program, words]) => [program, new Set(words.split(' '))]),
)
/** Words of the shell's language that stand before a program. */
const KEYWORDS = new Set('! { } if then elif else while until do time'.split(' '))
/** Programs that start another one, which is named somewhere in their arguments. */
const STARTERS = new Set(
  'env command exec builtin nohup nice stdbuf setsid xargs timeout find parallel watch'.split(' '),
)
/** The same on every machine, and without effect. */
const HARMLESS = new Set(['/dev/null', '/dev/stdin', '/dev/stdout', '/dev/stderr'])

/**
 * What keeps a command from being replayed blindly: it reaches outside the working directory, takes
 * rights, goes to the network, or runs what it has just read. `{{cwd}}` stands for the directory.
 * The guard warns the person who records; it does not confine anybody.
 */
export function commandProblems(
  command: string,
  allowed: readonly string[] = [],
  workdir?: string,
): CommandProblem[] {
  const found = [
    ...(workdir === undefined ? [] : pathProblems(workdir)),
    ...simpleCommands(command).flatMap(problemsOf),
  ]
  const named = new Set<string>()
  return found.filter(({ name }) => {
    if (named.has(name) || allowed.some((entry) => allows(entry, name))) return false
    named.add(name)
    return true
  })
}

function allows(entry: string, name: string): boolean {
  return entry === name || (entry.includes('/') && name.startsWith(`${entry.replace(/\/$/, '')}/`))
}

function problemsOf({ words, piped }: SimpleCommand): CommandProblem[] {
  const begin = words.findIndex((word) => !KEYWORDS.has(word) && !/^[A-Za-z_]\w*=/.test(word))
  const own = begin === -1 ? [] : words.slice(begin)
  return [...programs(own, piped), ...words.flatMap(pathProblems)]
}

function programs([first = '', ...rest]: readonly string[], piped: boolean): CommandProblem[] {
  const program = posix.basename(first)
  const found = [
    ...programProblems(program, rest, piped),
    ...scriptIn(program, rest).flatMap(problemsOf),
  ]
  // Which of the arguments is the program, only its own manual says.
  const starts = STARTERS.has(program) || PRIVILEGE.has(program)
  return starts ? [...found, ...rest.flatMap((_, at) => programs(rest.slice(at), piped))] : found
}

function programProblems(
  program: string,
  args: readonly string[],
  piped: boolean,
): CommandProblem[] {
  if (PRIVILEGE.has(program)) return [{ name: program, reason: `${program} takes more rights` }]
  if (NETWORK.has(program)) return [{ name: program, reason: `${program} goes to the network` }]
  const subcommand = args.find((word) => NETWORK_BY_SUBCOMMAND.get(program)?.has(word))
  if (subcommand !== undefined) {
    return [{ name: program, reason: `${program} ${subcommand} goes to the network` }]
  }
  if (piped && SHELLS.has(program)) {
    return [{ name: program, reason: `${program} runs what is piped into it` }]
  }
  return []
}

/** `bash -c SCRIPT` and `eval SCRIPT` hold commands in a word. */
function scriptIn(program: string, args: readonly string[]): SimpleCommand[] {
  if (program === 'eval') return simpleCommands(args.join(' '))
  if (!SHELLS.has(program)) return []
  const flag = args.findIndex((word) => /^-[A-Za-z]*c[A-Za-z]*$/.test(word))
  return flag === -1 ? [] : simpleCommands(args[flag + 1] ?? '')
}

function pathProblems(word: string): CommandProblem[] {
  // `--file=/x`, `A=/x` and `-I/x` hold paths as a word alone does.
  const path = /(?:^|=|^-[A-Za-z](?=\/.))((?:\/|~|\$HOME\b|\$\{HOME\}).*)$/.exec(word)?.[1]
  if (path !== undefined) {
    if (HARMLESS.has(path)) return []
    return [{ name: path, reason: `${path} lies outside the working directory` }]
  }
  const inside = word.replace(/^.*=(?=\.)/, '').replace(CWD, '.')
  if (!posix.normalize(inside).startsWith('..') || !/(?:^|\/)\.\.(?:\/|$)/.test(inside)) return []
  return [{ name: word, reason: `${word} leads out of the working directory` }]
}
