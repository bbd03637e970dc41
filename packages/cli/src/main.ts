import { VERSION } from '@capstan/protocol'
import type { CommandName } from './command-list.ts'
import { SUMMARIES } from './command-list.ts'
import { EXIT } from './shell/exit-code.ts'
import type { Command, Shell } from './shell/shell.ts'
import { UsageError } from './shell/shell.ts'
import type { Output } from './terminal/style.ts'

const HELP = `Usage: capstan [command] [options]

Without a command it runs the assistant for a browser, like "capstan serve".

${Object.entries(SUMMARIES)
  .map(([name, summary]) => `  ${name.padEnd(12)}${summary}`)
  .join('\n')}

  capstan <command> --help    show the options of a command
  capstan --version           show the version`

/** Runs one command line and settles with its exit code. */
export async function main(args: readonly string[], shell: Shell): Promise<number> {
  try {
    return await dispatch(args, shell)
  } catch (error) {
    const { reportProblem } = await import('./shell/report-problem.ts')
    const code = reportProblem(error, args, shell)
    if (code === undefined) throw error
    return code
  }
}

async function dispatch([name = 'serve', ...args]: readonly string[], shell: Shell): Promise<number> {
  if (name === '--version' || name === '-v') return print(shell.stdout, VERSION)
  if (name === '--help' || name === '-h' || name === 'help') return print(shell.stdout, HELP)
  if (!isCommand(name)) {
    const what = name.startsWith('-') ? 'option' : 'command'
    throw new UsageError(`There is no ${what} "${name}". See "capstan --help".`)
  }
  const command = await load(name)
  if (asksForHelp(args)) return print(shell.stdout, command.help)
  return command.run(args, shell)
}

const isCommand = (name: string): name is CommandName => Object.hasOwn(SUMMARIES, name)

async function load(name: CommandName): Promise<Command> {
  const { COMMANDS } = await import('./commands/commands.ts')
  return COMMANDS[name]
}

/** Arguments after `--` are text of the user, not options. */
function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--')
  return (end === -1 ? args : args.slice(0, end)).some((arg) => arg === '--help' || arg === '-h')
}

function print(output: Output, text: string): number {
  output.write(`${text}\n`)
  return EXIT.done
}

/** Runs the command line of this process, and ends the process when all output is written. */
export async function start(): Promise<void> {
  const { stdin, stdout, stderr, env } = process
  // The reader closed the pipe, as in `capstan run … | head -1`.
  for (const stream of [stdout, stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(EXIT.done)
      throw error
    })
  }
  const code = await main(process.argv.slice(2), {
    env,
    stdin,
    stdout,
    stderr,
    exit: (exitCode) => process.exit(exitCode),
    onInterrupt(listener) {
      process.on('SIGINT', listener)
      return () => process.off('SIGINT', listener)
    },
    onTerminate(listener) {
      const signals = ['SIGTERM', 'SIGHUP'] as const
      for (const signal of signals) process.on(signal, listener)
      return () => {
        for (const signal of signals) process.off(signal, listener)
      }
    },
  })
  for (const stream of [stdout, stderr]) await new Promise((written) => stream.write('', written))
  // An abandoned tool or an idle connection must not keep the process alive.
  process.exit(code)
}
