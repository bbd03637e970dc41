import { posix } from 'node:path'
import type { SimpleCommand, Word } from './command-line.ts'
import { HiddenExecution } from './command-line.ts'
import { foldersOf, isMove } from './folders-of.ts'
import { followPath } from './follow-path.ts'
import { judgeShell } from './judge-interpreters.ts'
import { isSurelyRead, namesMachine } from './judge-reads.ts'
import { TRANSPARENT } from './judge-wrappers.ts'
import { JUDGES } from './judges.ts'
import { parseCommandLine } from './parse-command-line.ts'
import type { Subcommands } from './programs.ts'
import { DESTROYS, HIDES, INSTALLS, NETWORKS, SILENT, SUBCOMMANDS } from './programs.ts'
import { READ_FORMS } from './read-programs.ts'
import { isPlainRepository } from './repository-config.ts'
import type { CommandClass, PlainRepository } from './verdict.ts'
import { highest } from './verdict.ts'

export type { CommandClass } from './verdict.ts'

/** The class of a command line. */
export interface CommandVerdict {
  readonly class: CommandClass
  /** It runs something that cannot be seen from the line. */
  readonly isHidden: boolean
  /** What hides it. */
  readonly hiddenBy?: string
  /** What would be started, as far as it can be seen. */
  readonly commands: readonly SimpleCommand[]
}

const MAX_CHARS = 100_000
const MAX_WORDS = 2_000
const MAX_DEPTH = 20
const MAX_LOOKS = 5_000

// What one look at a line needs to know.
interface Look {
  // Counts how often a list of words was judged: a word may begin a command inside several others.
  left: number
  readonly isPlain: PlainRepository
  // Names that the line itself gives a value to, by `for`.
  readonly loopVariables: ReadonlySet<string>
}

class TooDeep extends HiddenExecution {}

/**
 * How far a command line reaches: as far as the furthest of its parts. A part reads only when the program and each of
 * its options are known to read; everything else at least writes. Git runs programs that a repository's configuration
 * names, so it reads only where a folder is given and the configuration found there is harmless; such a line must run
 * with `SAFE_SHELL_ENVIRONMENT`. This is a judgement of words and no sandbox: what a script does when it runs is not
 * seen. Never throws; pure without a folder.
 */
export function classifyCommand(line: string, folder?: string): CommandVerdict {
  return classify(line, (commands) => {
    if (folder === undefined) return () => false
    const folders = foldersOf(commands, folder)
    return (paths) =>
      folders?.every((from) => isPlainRepository(paths.reduce(followPath, followPath('/', from)))) ?? false
  })
}

/** Whether a command line only reads, if the repositories it meets run no programs. Never throws; pure. */
export const readsInPlainRepositories = (line: string): boolean =>
  classify(line, () => () => true).class === 'read'

function classify(
  line: string,
  lookAtRepositories: (commands: readonly SimpleCommand[]) => PlainRepository,
): CommandVerdict {
  try {
    if (line.length > MAX_CHARS) throw new HiddenExecution('a line too long to be read')
    const commands = parseCommandLine(line)
    if (commands.reduce((sum, { words }) => sum + words.length, 0) > MAX_WORDS) {
      throw new HiddenExecution('more words than can be looked at')
    }
    const loopVariables = new Set(commands.flatMap(({ grammar }) => loopVariableOf(grammar)))
    const look: Look = { left: MAX_LOOKS, isPlain: lookAtRepositories(commands), loopVariables }
    return {
      class: highest(judgeWhole(commands), ...commands.map((command) => judgeCommand(command, look))),
      isHidden: false,
      commands,
    }
  } catch (error) {
    if (!(error instanceof HiddenExecution)) throw error
    return { class: 'destructive', isHidden: true, hiddenBy: error.message, commands: [] }
  }
}

// Variables of the environment are written in capitals.
function loopVariableOf(grammar: readonly Word[]): readonly string[] {
  const name = grammar[grammar.findIndex(({ text }) => text === 'for') + 1]?.text ?? ''
  return grammar.some(({ text }) => text === 'for') && /^[a-z][a-z0-9]*$/.test(name) ? [name] : []
}

const has = (words: readonly Word[], ...names: readonly string[]): boolean =>
  words.some(({ text }) => names.includes(text))

// What no part shows: a loop without end, a name with a new meaning, a change of folder that is repeated.
function judgeWhole(commands: readonly SimpleCommand[]): CommandClass {
  const isEndless = commands.some(({ grammar }) => has(grammar, 'while', 'until', 'select', 'function'))
  const isRedefined = commands.some(({ isDefinition = false }) => isDefinition)
  const isRepeated = commands.some(({ grammar }) => has(grammar, 'for')) && commands.some(isMove)
  return isEndless || isRedefined || isRepeated ? 'write' : 'read'
}

function judgeCommand(
  { grammar, assignments, words, redirections }: SimpleCommand,
  look: Look,
): CommandClass {
  refuseSteering(grammar)
  return highest(
    judgeGrammar(grammar),
    judgeAssignments(assignments, words.length > 0),
    judgeWords(words, look),
    ...redirections.map(({ operator, target }) => judgeRedirection(operator, target)),
  )
}

// Gives a value to the variable of a loop, which the environment of a program must not hold.
function judgeGrammar(grammar: readonly Word[]): CommandClass {
  const isLoop = has(grammar, 'for', 'case')
  if (!isLoop) return 'read'
  if (grammar.some((word) => word.variables !== undefined || namesMachine(word))) return 'write'
  return has(grammar, 'for') && loopVariableOf(grammar).length === 0 ? 'write' : 'read'
}

const HARMLESS_VARIABLE =
  /^(LANG|LC_\w+|TZ|CI|NODE_ENV|DEBUG|FORCE_COLOR|NO_COLOR|COLUMNS|LINES|CLICOLOR|RUST_BACKTRACE|RUST_LOG|PYTHONUNBUFFERED|VERBOSE)\+?=/
// They decide which programs are found, what those load, and what those start. No program reads one with a longer name.
const STEERING_VARIABLE =
  /^(?!\w{200})(PATH|IFS|ENV|HOME|SHELL|SHELLOPTS|PS\d|PROMPT_COMMAND|CDPATH|TERM|EDITOR|VISUAL|BROWSER|\w*PAGER|LESS\w*|BASH\w*|LD_\w*|DYLD_\w*|GIT_\w*|SSH_\w*|NODE_\w*|PYTHON\w*|PERL\w*|RUBY\w*|GEM_\w*|BUNDLE_\w*|\w*JAVA\w*|MAKE\w*|GNUMAKE\w*|NPM_\w*|npm_\w*|YARN_\w*|PIP_\w*|CARGO_\w*|RUSTC\w*|GO[A-Z]\w*|CC|CXX|\w*_(PROXY|proxy)|TAR_OPTIONS|RIPGREP_\w*|ZDOTDIR|FZF_\w*|GCONV_PATH|OPENSSL_\w*)(\+?=|$)/

function refuseSteering(words: readonly Word[]): void {
  const steering = words.find(({ text }) => STEERING_VARIABLE.test(text) && !HARMLESS_VARIABLE.test(text))
  if (steering)
    throw new HiddenExecution(`the variable ${steering.text.split('=', 1)[0]}, which steers programs`)
}

// A program gets the value of a variable that stands before it, and of one that was in the environment already.
function judgeAssignments(assignments: readonly Word[], hasProgram: boolean): CommandClass {
  refuseSteering(assignments)
  const isHarmless = ({ text, isDynamic }: Word): boolean =>
    !isDynamic && HARMLESS_VARIABLE.test(text) && /^\w+=[\w.,:@+-]*$/.test(text)
  const isOwn = ({ text, isDynamic }: Word): boolean =>
    !hasProgram && !isDynamic && /^([a-z][a-z0-9]*|[A-Z])=/.test(text)
  return assignments.every((word) => isHarmless(word) || isOwn(word)) ? 'read' : 'write'
}

function judgeRedirection(operator: string, target: Word): CommandClass {
  const { text, isDynamic, hasGlob, variables = [] } = target
  const path = posix.normalize(text)
  if (/^\/dev\/(tcp|udp)\//.test(path)) return 'network'
  if (operator.startsWith('<') && operator !== '<>') {
    const isFile = operator === '<'
    return variables.length > 0 || (isFile && (isDynamic || hasGlob || namesMachine(target)))
      ? 'write'
      : 'read'
  }
  if (operator === '>&' && /^(\d+|-)$/.test(text)) return 'read'
  if (isDynamic || hasGlob) return 'destructive'
  if (/^\/dev\/(null|stdout|stderr|fd\/\d+)$/.test(path)) return 'read'
  return /^\/(dev|proc|sys)\//.test(path) ? 'destructive' : 'write'
}

const STANDARD_FOLDERS = new Set([
  '/bin',
  '/usr/bin',
  '/usr/local/bin',
  '/sbin',
  '/usr/sbin',
  '/opt/homebrew/bin',
])

function judgeWords(words: readonly Word[], look: Look, depth = 0): CommandClass {
  if (depth > MAX_DEPTH || look.left-- <= 0) throw new TooDeep('commands inside commands without end')
  const start = words.findIndex(({ text }) => !/^[A-Za-z_]\w*\+?=/.test(text))
  const [program, ...args] = start < 0 ? [] : words.slice(start)
  const assignments = start < 0 ? words : words.slice(0, start)
  // Only env takes these for assignments; for all others the first is the program.
  const prefix = assignments.length === 0 ? 'read' : highest('write', judgeAssignments(assignments, true))
  if (!program) return prefix
  if (program.isDynamic || (program.hasGlob && program.text !== '[' && program.text !== '[[')) {
    throw new HiddenExecution('a program whose name is not known before it runs')
  }
  const isStandard = !program.text.includes('/') || STANDARD_FOLDERS.has(posix.dirname(program.text))
  const inner = (nested: readonly Word[]): CommandClass => judgeWords(nested, look, depth + 1)
  return highest(
    prefix,
    isStandard ? 'read' : 'write',
    // Behind another program it is no builtin, but whatever file has that name.
    depth > 0 && BUILTINS.has(program.text) ? 'write' : 'read',
    judgeProgram(posix.basename(program.text), args, inner, look),
  )
}

const BUILTINS = new Set(
  'cd pushd popd dirs type hash jobs wait times umask exit return break continue set : exec command builtin [['.split(
    ' ',
  ),
)

// Builtins that give a value to the variables they name.
const SETS_VARIABLES = new Set([
  'export',
  'readonly',
  'local',
  'declare',
  'typeset',
  'read',
  'getopts',
  'let',
  'printf',
  'mapfile',
  'readarray',
  'unset',
])

function judgeProgram(
  name: string,
  args: readonly Word[],
  inner: (words: readonly Word[]) => CommandClass,
  look: Look,
): CommandClass {
  const known = baseName(name)
  if (HIDES.has(known)) throw new HiddenExecution(name)
  if (SETS_VARIABLES.has(name)) refuseSteering(args)
  refuseCodeInWords(name, args)
  if (isSurelyRead(name, knownBy(look, name, args), look.isPlain)) return 'read'
  const reach = judgeBeyond(known, args, inner)
  return TRANSPARENT.has(name) ? reach : highest('write', reach)
}

// Bash looks for code in the names of variables and in the numbers that it compares, even in quoted ones.
function refuseCodeInWords(name: string, args: readonly Word[]): void {
  const isEvaluated =
    name === 'printf'
      ? args[0]?.text.startsWith('-v')
      : SETS_VARIABLES.has(name) || /^(test|\[\[?)$/.test(name)
  if (isEvaluated && args.some(({ text }) => /`|\$\(/.test(text)))
    throw new HiddenExecution('command substitution in the name of a variable')
}

// To print what the line itself says is no secret.
function knownBy({ loopVariables }: Look, name: string, args: readonly Word[]): readonly Word[] {
  if (name !== 'echo' && name !== 'printf') return args
  const isKnown = (variable: string): boolean => loopVariables.has(variable) || /^[?#]$/.test(variable)
  return args.map((word) => ({
    ...word,
    isDynamic: word.isDynamic && word.variables !== undefined && !word.variables.every(isKnown),
  }))
}

// How far a program reaches that is not known to read.
function judgeBeyond(
  known: string,
  args: readonly Word[],
  inner: (words: readonly Word[]) => CommandClass,
): CommandClass {
  const judge = Object.hasOwn(JUDGES, known) ? JUDGES[known] : undefined
  const subcommands = Object.hasOwn(SUBCOMMANDS, known) ? SUBCOMMANDS[known] : undefined
  if (judge) return raiseIfDynamic(judge(args, inner), args.map(globAsDynamic))
  if (subcommands) return judgeSubcommand(subcommands, args)
  if (READ_FORMS.has(known) || SILENT.has(known)) return 'write'
  if (DESTROYS.has(known) || known.startsWith('mkfs.')) return 'destructive'
  if (INSTALLS.has(known)) return 'install'
  if (NETWORKS.has(known)) return 'network'
  return judgeUnknown(args, inner)
}

// python3.12 is python; on some file systems RM is rm.
const baseName = (name: string): string => {
  const plain = name.replace(/(?<=^(python|pip|ruby|perl|node|lua|php))[\d.]+$/, '')
  return plain === 'Rscript' ? plain : plain.toLowerCase()
}

// What it reads is not known, so it is not known to be harmless.
const raiseIfDynamic = (reach: CommandClass, args: readonly Word[]): CommandClass =>
  args.some(({ isDynamic }) => isDynamic) ? highest(reach, 'write') : reach

// A name of a file that begins like an option would be taken for one.
const globAsDynamic = (word: Word): Word =>
  word.hasGlob && /^[*?[]/.test(word.text) ? { ...word, isDynamic: true } : word

function judgeSubcommand(table: Subcommands, args: readonly Word[]): CommandClass {
  if (args.length === 0) return table.alone ?? 'write'
  const words = args.map(({ text }) => text)
  // A word may belong to an option; whichever of them is a command that reaches furthest decides.
  const names = (programs: ReadonlySet<string> | undefined): boolean =>
    programs !== undefined && words.some((word) => programs.has(word))
  if (args.some(({ isDynamic }) => isDynamic)) return highest(table.otherwise, 'install')
  if (names(table.destroys)) return 'destructive'
  if (names(table.installs)) return 'install'
  if (names(table.networks)) return highest('network', hasUrl(args))
  if (table.writes?.has(words[0]!)) return highest('write', hasUrl(args))
  return highest(table.otherwise, hasUrl(args))
}

// It may be a wrapper for what stands in its words, and fetch what they point at.
function judgeUnknown(args: readonly Word[], inner: (words: readonly Word[]) => CommandClass): CommandClass {
  let reach = highest('write', hasUrl(args))
  for (const [index, { text }] of args.entries()) {
    const name = baseName(posix.basename(text))
    if (JUDGES[name] === judgeShell) reach = highest(reach, inner(args.slice(index)))
    else if (isKnown(name)) reach = highest(reach, judgePossibly(args.slice(index), inner))
  }
  return reach
}

// Perhaps it is only a word, so what looks hidden in it needs a person but is not refused.
function judgePossibly(
  words: readonly Word[],
  inner: (words: readonly Word[]) => CommandClass,
): CommandClass {
  try {
    return inner(words)
  } catch (error) {
    if (error instanceof TooDeep || !(error instanceof HiddenExecution)) throw error
    return 'destructive'
  }
}

const isKnown = (name: string): boolean =>
  [HIDES, DESTROYS, INSTALLS, NETWORKS].some((programs) => programs.has(name)) ||
  Object.hasOwn(JUDGES, name) ||
  Object.hasOwn(SUBCOMMANDS, name)

const hasUrl = (args: readonly Word[]): CommandClass =>
  args.some(
    ({ text }) => /^(--?[\w-]+=)?[a-z][a-z0-9+.-]*:\/\//i.test(text) || /^[\w.-]+@[\w.-]+:/.test(text),
  )
    ? 'network'
    : 'read'
