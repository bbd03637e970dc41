import { ConfigurationError, StoreError } from '@capstan/harness'
import type { Failure, FailureClass } from '@capstan/protocol'
import { FAILURE_CATEGORIES } from '@capstan/protocol'
import { toJsonLine, toPrintableLine } from '../terminal/printable.ts'
import { EXIT } from './exit-code.ts'
import type { Shell } from './shell.ts'
import { CommandError, UsageError } from './shell.ts'

interface Problem {
  readonly sentence: string
  readonly class: FailureClass
  readonly next?: string
  readonly details?: readonly string[]
  readonly code: number
}

/**
 * Prints why a command failed and what to do next, as lines on standard error; with `--json` also as one line on
 * standard output. Answers with the exit code; undefined for a bug, which is thrown with its stack.
 */
export function reportProblem(error: unknown, args: readonly string[], shell: Shell): number | undefined {
  const problem = toProblem(error, Boolean(shell.env['DATABASE_URL']) || args[0] === 'migrate')
  if (!problem) return undefined
  const { sentence, next, details = [], code } = problem
  if (asksForJson(args)) {
    const failure = toFailure(problem, args[0])
    shell.stdout.write(`${toJsonLine({ type: 'error', exitCode: code, failure })}\n`)
  }
  const lines = [
    `capstan: ${toPrintableLine(sentence)}`,
    ...details,
    ...(next === undefined ? [] : [`What to do next: ${toPrintableLine(next)}`]),
  ]
  shell.stderr.write(`${lines.join('\n')}\n`)
  return code
}

/** Arguments after `--` are text of the user. */
function asksForJson(args: readonly string[]): boolean {
  const end = args.indexOf('--')
  return (end === -1 ? args : args.slice(0, end)).some((arg) => arg === '--json' || arg === '--events')
}

function toFailure({ sentence, class: failureClass, next }: Problem, command: string | undefined): Failure {
  const category = FAILURE_CATEGORIES[failureClass]
  return {
    class: failureClass,
    category,
    cause: toPrintableLine(sentence),
    next: next ?? /See "[^"]+"\.$/.exec(sentence)?.[0] ?? `See "capstan ${command ?? ''} --help".`,
    recoverable: category === 'transient',
  }
}

function toProblem(error: unknown, usesDatabase: boolean): Problem | undefined {
  if (error instanceof UsageError)
    return { sentence: error.message, class: 'invalid_input', code: EXIT.usage }
  if (error instanceof ConfigurationError) {
    const sentence = error.message.replace(`${error.field}: `, `${error.field} `)
    return { sentence, class: 'invalid_input', code: EXIT.usage }
  }
  if (error instanceof CommandError) {
    return { sentence: error.message, class: 'unknown', ...error.problem, code: EXIT.failed }
  }
  if (error instanceof StoreError)
    return {
      sentence: toSentence(error.message),
      ...STORE_PROBLEMS[error.kind],
      ...(usesDatabase && OF_DISK.has(error.kind) && { next: CHECK_DATABASE }),
      code: EXIT.failed,
    }
  return toFileProblem(error)
}

const STORE_PROBLEMS: Readonly<
  Record<StoreError['kind'], { readonly class: FailureClass; readonly next?: string }>
> = {
  locked: { class: 'conflict' },
  moved: { class: 'conflict' },
  lost: { class: 'interrupted' },
  invalid: { class: 'invalid_input' },
  newer: { class: 'unsupported' },
  damaged: {
    class: 'unknown',
    next: 'Run "capstan doctor", or restore the newest copy from the backups folder.',
  },
  full: { class: 'quota_exhausted', next: 'Free space on the disk, then try again.' },
  closed: { class: 'unknown' },
  io: {
    class: 'unknown',
    next: 'Check the disk and the rights of the data folder, or choose another with --home.',
  },
}

/** What is done about these depends on where the data is. */
const OF_DISK: ReadonlySet<StoreError['kind']> = new Set(['damaged', 'full', 'io'])
const CHECK_DATABASE = 'Run "capstan db check": it looks at the database and the key.'

const FILE_PROBLEMS: Readonly<Record<string, string>> = {
  EACCES: 'may not be read or written by this user',
  EPERM: 'may not be read or written by this user',
  EROFS: 'is on a disk that cannot be written',
  ENOTDIR: 'is not a folder, or lies inside of a file',
  EISDIR: 'is a folder',
  EEXIST: 'is a file, and a folder is needed',
  ENOSPC: 'does not fit on the disk',
}

/** What the file system refused: the data folder, most often. */
function toFileProblem(error: unknown): Problem | undefined {
  const { code = '', path = '' } = (error ?? {}) as NodeJS.ErrnoException
  const what = Object.hasOwn(FILE_PROBLEMS, code) ? FILE_PROBLEMS[code] : undefined
  if (what === undefined || path === '') return undefined
  return {
    sentence: `${path} ${what} (${code}).`,
    class: 'missing_permission',
    next: 'Change its rights, or choose another data folder with --home.',
    code: EXIT.failed,
  }
}

/** The message with a capital letter and a full stop. */
function toSentence(message: string): string {
  const text = message.trim()
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`
}
