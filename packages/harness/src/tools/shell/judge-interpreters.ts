import type { Word } from './command-line.ts'
import { HiddenExecution } from './command-line.ts'
import type { Judge } from './verdict.ts'
import { isOption } from './verdict.ts'

const isInput = ({ text, isDynamic }: Word): boolean =>
  isDynamic || text === '-' || /^\/dev\/(stdin|fd\/)|^\/proc\//.test(text)
const onlyAsks = (args: readonly Word[]): boolean =>
  args.length === 1 && ['--version', '-V', '-v', '--help'].includes(args[0]!.text)

/** A shell with a script of its own is like any unknown program; with text or input to run it is hidden execution. */
export const judgeShell: Judge = (args) => {
  if (args.length === 1 && args[0]!.text === '--version') return 'write'
  const script = args.findIndex((arg) => !isOption(arg))
  const options = script < 0 ? args : args.slice(0, script)
  // An option may also begin with a plus.
  if (options.some(({ text }) => !/^-[eux]+$/.test(text)) || args[script]?.text.startsWith('+')) {
    throw new HiddenExecution('a shell given text to run')
  }
  if (script < 0 || isInput(args[script]!)) throw new HiddenExecution('a shell that runs its input')
  return 'write'
}

const HARMLESS = new Set([
  '-u',
  '-B',
  '-w',
  '--test',
  '--watch',
  '--check',
  '--no-warnings',
  '--experimental-strip-types',
])

/** An interpreter with a script is like any unknown program; with code in its words or its input it may do anything. */
export const judgeInterpreter: Judge = (args, judge) => {
  if (onlyAsks(args)) return 'write'
  const script = args.findIndex((arg) => !isOption(arg) || arg.text === '-m')
  const options = script < 0 ? args : args.slice(0, script)
  if (script < 0 || options.some(({ text }) => !HARMLESS.has(text)) || isInput(args[script]!))
    return 'destructive'
  if (args[script]!.text === '-m') return judgeModule(args.slice(script + 1), judge)
  return 'write'
}

const judgeModule: Judge = (args, judge) => {
  const [module] = args
  if (!module || module.isDynamic) return 'destructive'
  if (['pip', 'ensurepip', 'pipx', 'uv', 'poetry'].includes(module.text)) return judge(args)
  if (['http.server', 'smtpd', 'webbrowser', 'ftplib', 'telnetlib'].includes(module.text)) return 'network'
  return ['timeit', 'pdb', 'code', 'trace', 'runpy'].includes(module.text) ? 'destructive' : 'write'
}

/** `source file`: like running the file. */
export const judgeSource: Judge = (args) => {
  if (args.length === 0 || isInput(args[0]!)) throw new HiddenExecution('a shell that runs its input')
  return 'write'
}
