import type { Word } from './command-line.ts'
import { HiddenExecution } from './command-line.ts'
import { isPlainFind } from './judge-reads.ts'
import type { Judge } from './verdict.ts'
import { highest } from './verdict.ts'

/** What xargs puts in place of its mark: anything that was piped to it. */
const PIPED: Word = { text: '{}', isDynamic: true, hasGlob: false }
/** What find puts in place of `{}`: a name below the folder it searches, which never looks like an option. */
const FOUND: Word = { text: './*', isDynamic: false, hasGlob: true }

interface WrapperOptions {
  /** Letters that stand alone, and letters that take a value. */
  readonly flags?: string
  readonly valued?: string
  /** Long options that stand alone, and those that take a value after `=`. */
  readonly longFlags?: readonly string[]
  readonly longValued?: readonly string[]
}

// The command after a wrapper's own options. An option that is not known here might take the command for its value.
function afterOptions(args: readonly Word[], options: WrapperOptions): readonly Word[] {
  const { flags = '', valued = '', longFlags = [], longValued = [] } = options
  for (let at = 0; at < args.length; at++) {
    const { text } = args[at]!
    if (text === '--') return args.slice(at + 1)
    if (!text.startsWith('-') || text === '-') return args.slice(at)
    if (longFlags.includes(text) || longValued.some((name) => text.startsWith(`${name}=`))) continue
    const last = Array.from(text.slice(1)).findIndex((letter) => !flags.includes(letter))
    if (last < 0) continue
    if (!valued.includes(text[last + 1]!))
      throw new HiddenExecution(`the option ${text} in front of a command`)
    if (last + 2 === text.length) at++
  }
  return []
}

const wrapper =
  (options: WrapperOptions, skip = 0): Judge =>
  (args, judge) =>
    judge(afterOptions(args, options).slice(skip))

const judgeEnv = wrapper({
  flags: 'i0v',
  valued: 'uC',
  longFlags: ['--ignore-environment', '--null'],
  longValued: ['--unset', '--chdir'],
})

const judgeXargs: Judge = (args, judge) => {
  const rest = afterOptions(args, {
    flags: '0rtpx',
    valued: 'nILPsdEa',
    longFlags: ['--null', '--no-run-if-empty', '--verbose', '--replace'],
    longValued: ['--max-args', '--max-procs', '--max-lines', '--replace', '--delimiter', '--arg-file'],
  })
  if (rest.length === 0) return 'write'
  const marks = marksOf(args.slice(0, args.length - rest.length))
  const isFilledIn = ({ text }: Word): boolean => marks.some((mark) => text.includes(mark))
  return judge([...rest.map((word) => (isFilledIn(word) ? PIPED : word)), PIPED])
}

// What xargs replaces by the names it reads.
function marksOf(options: readonly Word[]): readonly string[] {
  const marks = ['{}']
  for (const [index, { text }] of options.entries()) {
    const mark = /^-\w*?I(.*)$/s.exec(text)?.[1] ?? /^--replace=(.*)$/s.exec(text)?.[1]
    if (mark !== undefined) marks.push(mark === '' ? (options[index + 1]?.text ?? '') : mark)
  }
  return marks
}

const judgeFind: Judge = (args, judge) => {
  let reach = highest()
  const own: Word[] = []
  for (let at = 0; at < args.length; at++) {
    const { text, isDynamic } = args[at]!
    // Could stand for -delete.
    if (isDynamic || text === '-delete') reach = highest(reach, 'destructive')
    if (!/^-(exec|ok)(dir)?$/.test(text)) {
      own.push(args[at]!)
      continue
    }
    const end = args.findIndex(
      (word, index) =>
        index > at && (word.text === ';' || (word.text === '+' && args[index - 1]!.text === '{}')),
    )
    const inner = args.slice(at + 1, end < 0 ? args.length : end)
    reach = highest(reach, text === '-exec' && end >= 0 ? 'read' : 'write', judge(inner.map(fillIn)))
    at = end < 0 ? args.length : end
  }
  return highest(reach, isPlainFind(own) ? 'read' : 'write')
}

// Inside of a longer word, what was found may become a part of an option.
function fillIn(word: Word): Word {
  if (word.text === '{}') return FOUND
  return word.text.includes('{}') ? { ...word, isDynamic: true } : word
}

const judgeCommand: Judge = (args, judge) =>
  args[0]?.text === '-v' || args[0]?.text === '-V' ? 'read' : judge(afterOptions(args, { flags: 'p' }))

const judgeExec: Judge = (args, judge) =>
  args.length === 0 ? 'read' : judge(afterOptions(args, { flags: 'cl' }))

const judgeSudo: Judge = (args, judge) => {
  judge(afterOptions(args, { flags: 'AEHKklnPSv', valued: 'ughpCrtUDTR' }))
  return 'destructive'
}

/** Programs that reach exactly as far as the command in their words. */
export const TRANSPARENT: ReadonlySet<string> = new Set([
  'find',
  'command',
  'exec',
  'nice',
  'timeout',
  'time',
])

/** Programs that run the command in their words. */
export const WRAPPERS: Readonly<Record<string, Judge>> = {
  env: judgeEnv,
  xargs: judgeXargs,
  find: judgeFind,
  command: judgeCommand,
  builtin: wrapper({}),
  exec: judgeExec,
  nice: wrapper({ flags: '0123456789', valued: 'n', longValued: ['--adjustment'] }),
  ionice: wrapper({ flags: 't', valued: 'cn' }),
  stdbuf: wrapper({ valued: 'ioe', longValued: ['--output', '--input', '--error'] }),
  timeout: wrapper(
    {
      flags: 'v',
      valued: 'sk',
      longFlags: ['--preserve-status', '--foreground', '--verbose'],
      longValued: ['--signal', '--kill-after'],
    },
    1,
  ),
  time: wrapper({ flags: 'pv' }),
  busybox: wrapper({}),
  toybox: wrapper({}),
  sudo: judgeSudo,
  doas: judgeSudo,
}
