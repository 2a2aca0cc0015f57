import { posix } from 'node:path'
import { type CommandProblem, pathProblems, pathsInCode } from './command-paths.ts'
import { type SimpleCommand, simpleCommands } from './shell-words.ts'

const PRIVILEGE = new Set(['sudo', 'doas', 'su', 'pkexec', 'run0'])
const SHELLS = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'fish'])
/** Programs that run the code that they are given, or read. */
const INTERPRETERS = /^(?:python[\d.]*|node|deno|bun|perl|ruby|php|lua)$/
const CODE_FLAGS = new Set(['-c', '-e', '-E', '-r', '-p', '-pe', '-ne', '--eval', '--print'])
const NETWORK = new Set(
  (
    'curl wget http https nc ncat netcat socat telnet ssh scp sftp rsync ftp tftp ping traceroute ' +
    'dig nslookup host whois npx bunx uvx pipx corepack docker podman gh aws gcloud az kubectl'
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
      ['bun', 'install i add update publish create x'],
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
const KEYWORDS = new Set('! { } if then elif else while until do'.split(' '))
/** Programs that start another one, which is named somewhere in their arguments. */
const STARTERS = new Set(
  'env command exec builtin nohup nice stdbuf setsid xargs timeout find parallel watch time coproc busybox'.split(
    ' ',
  ),
)
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

function problemsOf({ words, ...input }: SimpleCommand): CommandProblem[] {
  const begin = words.findIndex((word) => !KEYWORDS.has(word) && !/^[A-Za-z_]\w*=/.test(word))
  // `function name {` begins what it names.
  if (words[begin] === 'function') return problemsOf({ ...input, words: words.slice(begin + 2) })
  const own = begin === -1 ? [] : words.slice(begin)
  return [...programs(own, input), ...words.flatMap(pathProblems)]
}

/** What a program reads. */
type Input = Omit<SimpleCommand, 'words'>

function programs([first = '', ...rest]: readonly string[], input: Input): CommandProblem[] {
  const program = posix.basename(first)
  const found = [
    ...programProblems(program, rest, input),
    ...scriptsIn(program, rest, input).flatMap(simpleCommands).flatMap(problemsOf),
    ...codeIn(program, rest, input).flatMap(pathsInCode),
  ]
  // Which of the arguments is the program, only its own manual says.
  const starts = STARTERS.has(program) || PRIVILEGE.has(program)
  if (starts) return [...found, ...rest.flatMap((_, at) => programs(rest.slice(at), input))]
  const module = INTERPRETERS.test(program) ? rest.indexOf('-m') : -1
  return module === -1 ? found : [...found, ...programs(rest.slice(module + 1), input)]
}

function programProblems(
  program: string,
  args: readonly string[],
  { piped }: Input,
): CommandProblem[] {
  if (PRIVILEGE.has(program)) return [{ name: program, reason: `${program} takes more rights` }]
  if (NETWORK.has(program)) return [{ name: program, reason: `${program} goes to the network` }]
  const subcommand = args.find((word) => NETWORK_BY_SUBCOMMAND.get(program)?.has(word))
  if (subcommand !== undefined) {
    return [{ name: program, reason: `${program} ${subcommand} goes to the network` }]
  }
  const reads = INTERPRETERS.test(program) && args.every((word) => word === '-')
  if (piped && (reads || SHELLS.has(program))) {
    return [{ name: program, reason: `${program} runs what is piped into it` }]
  }
  if (program === 'cd' && args.every((word) => /^-[LPe@]*$/.test(word) && word !== '-')) {
    return [{ name: program, reason: `${program} alone goes to the home directory` }]
  }
  return []
}

/** `bash -c SCRIPT`, `eval SCRIPT` and `trap SCRIPT` hold commands in a word, `bash <<< SCRIPT` reads them. */
function scriptsIn(program: string, args: readonly string[], { fed }: Input): string[] {
  if (program === 'eval') return [args.join(' ')]
  if (program === 'trap') return args.slice(0, 1)
  if (!SHELLS.has(program)) return []
  const flag = args.findIndex((word) => /^-[A-Za-z]*c[A-Za-z]*$/.test(word))
  if (flag !== -1) return args.slice(flag + 1, flag + 2)
  return fed === undefined ? [] : [fed]
}

/** Code of another language than the shell's. */
function codeIn(program: string, args: readonly string[], { fed }: Input): string[] {
  if (!INTERPRETERS.test(program)) return []
  const given = args.filter((_, at) => CODE_FLAGS.has(args[at - 1] ?? ''))
  return fed === undefined ? given : [...given, fed]
}
