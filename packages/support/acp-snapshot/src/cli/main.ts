import { cac } from 'cac'
import { messageOf, eventLoopTurn } from 'dsh-brand'
import { installInterruptHandler } from '../run/interrupt.ts'
import { wantsColour } from './colour.ts'
import { conformanceCommand } from './conformance.ts'
import { type CliHost, type CommandContext, EXIT } from './host.ts'
import { initCommand } from './init.ts'
import { commandProject, countOf, type ProjectFlags } from './project.ts'
import { scenariosCommand } from './scenarios.ts'

interface Flags extends ProjectFlags {
  readonly json?: boolean
  readonly out?: string
  readonly repeat?: number
}

/** Runs one command line and resolves with its exit code. Never rejects. */
export async function main(host: CliHost): Promise<number> {
  const interrupt = installInterruptHandler(host)
  const broken = watchOutput(host, interrupt.abort)
  const context: CommandContext = {
    env: host.env,
    cwd: host.cwd(),
    signal: interrupt.signal,
    colour: wantsColour(host),
    print: (line) => host.stdout.write(`${line}\n`),
  }
  try {
    const code = await dispatch(host, context)
    // The news of the last line that cannot be written comes a moment later.
    await eventLoopTurn()
    return broken.aborted ? EXIT.failed : code
  } catch (error) {
    host.stderr.write(`${messageOf(error)}\n`)
    return EXIT.usage
  } finally {
    interrupt.dispose()
  }
}

/**
 * A reader that has gone, or a full disk, ends the command in order: what nobody reads is not worth
 * a run. The listeners stay, since what was written last may fail after the command has ended.
 */
function watchOutput({ stdout, stderr }: CliHost, abort: () => void): AbortSignal {
  const broken = new AbortController()
  stdout.on?.('error', (error) => {
    if (!broken.signal.aborted) stderr.write(`cannot write to stdout: ${error.message}\n`)
    broken.abort()
    abort()
  })
  // There is nowhere left to say anything; the exit code still tells.
  stderr.on?.('error', () => {})
  return broken.signal
}

async function dispatch(host: CliHost, context: CommandContext): Promise<number> {
  let run: (() => Promise<number>) | undefined
  const projectOf = (flags: Flags) => commandProject(flags, context)
  const cli = cac('dsh-acp-snapshot')
  const configFlag = [
    '--config <file>',
    'What the project says (default: dsh-snapshot.config.json or .mjs, where there is one)',
  ] as const
  const agentFlag = ['--agent <command>', 'How to start the agent, as "node agent.js"'] as const
  for (const [mode, what] of [
    ['replay', 'Replay scenarios and compare (writes nothing)'],
    ['record', 'Run the agent against its model and keep what it says and writes'],
    ['refresh', 'Keep the recorded answers and rewrite what the current code produces'],
  ] as const) {
    cli
      .command(`${mode} [...names]`, what)
      .option(...configFlag)
      .option(...agentFlag)
      .option('--dir <folder>', 'The folder of the scenarios (default: tests/snapshots)')
      .option('--out <folder>', 'Write whole copies there, and leave the scenarios as they are')
      .option('--workers <number>', 'How many run at a time (default: one per processor)')
      .option('--json', 'One JSON result per line')
      .action((names: string[], flags: Flags) => {
        run = async () =>
          scenariosCommand(context, {
            mode,
            names,
            project: await projectOf(flags),
            json: flags.json === true,
            ...(flags.out !== undefined && { out: flags.out }),
          })
      })
  }
  cli
    .command('init', 'Write a config, a test file and a first scenario (overwrites nothing)')
    .option(...agentFlag)
    .action((flags: Flags) => {
      run = () => initCommand(context, flags.agent)
    })
  cli
    .command('conformance [dir]', 'Replay recordings of another program, event for event')
    .option(...configFlag)
    .option(...agentFlag)
    .option('--repeat <number>', 'How many rounds; a difference in any one fails (default: 1)')
    .action((dir: string | undefined, flags: Flags) => {
      const rounds = () => countOf('--repeat', flags.repeat, 1)
      run = async () => conformanceCommand(context, dir, (await projectOf(flags)).agent, rounds())
    })
  cli.help((sections) => {
    const text = sections.map(({ title, body }) => (title ? `${title}:\n${body}` : body))
    host.stdout.write(`${text.join('\n\n')}\n`)
    run = () => Promise.resolve(EXIT.passed)
    return []
  })
  cli.parse([...host.argv], { run: false })
  if (cli.matchedCommand === undefined && run === undefined) {
    const [name] = cli.args
    const problem = name === undefined ? 'no command given' : `unknown command "${name}"`
    host.stderr.write(
      `${problem}; commands: replay, record, refresh, init, conformance (see --help)\n`,
    )
    return EXIT.usage
  }
  if (run === undefined) await cli.runMatchedCommand()
  return (run as unknown as () => Promise<number>)()
}
