import { posix } from 'node:path'
import type { SimpleCommand, Word } from './command-line.ts'
import { HiddenExecution } from './command-line.ts'
import { judgeShell } from './judge-interpreters.ts'
import { JUDGES } from './judges.ts'
import { parseCommandLine } from './parse-command-line.ts'
import type { Subcommands } from './programs.ts'
import { DESTROYS, HIDES, INSTALLS, NETWORKS, READS, SUBCOMMANDS, TALKS, WRITES } from './programs.ts'
import type { CommandClass } from './verdict.ts'
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

// Counts how often a list of words was judged: a word may begin a command inside several others.
interface Look {
  left: number
}

class TooDeep extends HiddenExecution {}

/**
 * How far a command line reaches: as far as the furthest of its parts. Reads only what is known to read; a program that
 * is not known writes. It is a judgement of words and no sandbox: what a script does when it runs is not seen. Pure;
 * never throws.
 */
export function classifyCommand(line: string): CommandVerdict {
  try {
    if (line.length > MAX_CHARS) throw new HiddenExecution('a line too long to be read')
    const commands = parseCommandLine(line)
    if (commands.reduce((sum, { words }) => sum + words.length, 0) > MAX_WORDS) {
      throw new HiddenExecution('more words than can be looked at')
    }
    const look: Look = { left: MAX_LOOKS }
    return {
      class: highest(...commands.map((command) => judgeCommand(command, look))),
      isHidden: false,
      commands,
    }
  } catch (error) {
    if (!(error instanceof HiddenExecution)) throw error
    return { class: 'destructive', isHidden: true, hiddenBy: error.message, commands: [] }
  }
}

function judgeCommand(
  { grammar, assignments, words, redirections }: SimpleCommand,
  look: Look,
): CommandClass {
  refuseSteering(grammar)
  return highest(
    judgeAssignments(assignments, words.length > 0),
    judgeWords(words, look),
    ...redirections.map(({ operator, target }) => judgeRedirection(operator, target)),
  )
}

const HARMLESS_VARIABLE =
  /^(LANG|LC_\w+|TZ|CI|NODE_ENV|DEBUG|FORCE_COLOR|NO_COLOR|COLUMNS|LINES|CLICOLOR|RUST_BACKTRACE|RUST_LOG|PYTHONUNBUFFERED|VERBOSE)\+?=/
// They decide which programs are found, what those load, and what those start.
const STEERING_VARIABLE =
  /^(PATH|IFS|ENV|HOME|SHELL|SHELLOPTS|PS\d|PROMPT_COMMAND|CDPATH|TERM|EDITOR|VISUAL|BROWSER|\w*PAGER|LESS\w*|BASH\w*|LD_\w*|DYLD_\w*|GIT_\w*|SSH_\w*|NODE_\w*|PYTHON\w*|PERL\w*|RUBY\w*|GEM_\w*|BUNDLE_\w*|\w*JAVA\w*|MAKE\w*|GNUMAKE\w*|NPM_\w*|npm_\w*|YARN_\w*|PIP_\w*|CARGO_\w*|RUSTC\w*|GO[A-Z]\w*|CC|CXX|\w*_(PROXY|proxy)|TAR_OPTIONS|RIPGREP_\w*|ZDOTDIR|FZF_\w*|GCONV_PATH|OPENSSL_\w*)(\+?=|$)/

function refuseSteering(words: readonly Word[]): void {
  const steering = words.find(({ text }) => STEERING_VARIABLE.test(text) && !HARMLESS_VARIABLE.test(text))
  if (steering)
    throw new HiddenExecution(`the variable ${steering.text.split('=', 1)[0]}, which steers programs`)
}

function judgeAssignments(assignments: readonly Word[], hasProgram: boolean): CommandClass {
  refuseSteering(assignments)
  return hasProgram && assignments.some(({ text }) => !HARMLESS_VARIABLE.test(text)) ? 'write' : 'read'
}

function judgeRedirection(operator: string, { text, isDynamic, hasGlob }: Word): CommandClass {
  const path = posix.normalize(text)
  if (/^\/dev\/(tcp|udp)\//.test(path)) return 'network'
  if (operator.startsWith('<') && operator !== '<>') {
    return isDynamic && operator === '<' ? 'write' : 'read'
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
  const prefix = judgeAssignments(start < 0 ? words : words.slice(0, start), true)
  if (!program) return prefix
  if (program.isDynamic || (program.hasGlob && program.text !== '[' && program.text !== '[[')) {
    throw new HiddenExecution('a program whose name is not known before it runs')
  }
  const isStandard = !program.text.includes('/') || STANDARD_FOLDERS.has(posix.dirname(program.text))
  const inner = (nested: readonly Word[]): CommandClass => judgeWords(nested, look, depth + 1)
  return highest(
    prefix,
    isStandard ? 'read' : 'write',
    judgeProgram(posix.basename(program.text), args, inner),
  )
}

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
): CommandClass {
  const known = baseName(name)
  if (HIDES.has(known)) throw new HiddenExecution(name)
  if (SETS_VARIABLES.has(name)) refuseSteering(args)
  if (TALKS.has(name)) return 'read'
  const judge = Object.hasOwn(JUDGES, known) ? JUDGES[known] : undefined
  const subcommands = Object.hasOwn(SUBCOMMANDS, known) ? SUBCOMMANDS[known] : undefined
  if (judge) return raiseIfDynamic(judge(args, inner), args.map(globAsDynamic))
  if (subcommands) return raiseIfDynamic(judgeSubcommand(subcommands, args), args)
  if (READS.has(name)) return raiseIfDynamic('read', args)
  if (DESTROYS.has(known) || known.startsWith('mkfs.')) return 'destructive'
  if (INSTALLS.has(known)) return isVersionOnly(args) ? 'read' : 'install'
  if (NETWORKS.has(known)) return isVersionOnly(args) ? 'read' : 'network'
  if (WRITES.has(known)) return 'write'
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

const isVersionOnly = (args: readonly Word[]): boolean =>
  args.length === 1 && (args[0]!.text === '--version' || args[0]!.text === '--help')

function judgeSubcommand(table: Subcommands, args: readonly Word[]): CommandClass {
  if (isVersionOnly(args) || (args.length === 1 && /^-[vV]$/.test(args[0]!.text))) return 'read'
  if (args.length === 0) return table.alone ?? 'read'
  if (table.reads?.has(args[0]!.text))
    return args.slice(1).every(isPlainArgument) ? 'read' : highest('write', table.otherwise)
  const words = args.map(({ text }) => text)
  // A word may belong to an option; whichever of them is a command that reaches furthest decides.
  const has = (names: ReadonlySet<string> | undefined): boolean =>
    names !== undefined && words.some((word) => names.has(word))
  if (args.some(({ isDynamic }) => isDynamic)) return highest(table.otherwise, 'install')
  if (has(table.destroys)) return 'destructive'
  if (has(table.installs)) return 'install'
  if (has(table.networks)) return highest('network', hasUrl(args))
  if (table.writes?.has(words[0] ?? '')) return highest('write', hasUrl(args))
  return highest(table.otherwise, hasUrl(args))
}

// An option that is not known to be harmless may name a program to run.
const isPlainArgument = ({ text }: Word): boolean =>
  !text.startsWith('-') ||
  /^(-[a-zA-Z]|--(json|depth(=\d+)?|all|long|tail(=\d+)?|outdated|local|user|global))$/.test(text)

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
