import type { Word } from './command-line.ts'
import { fitForm, readForm } from './read-form.ts'
import type { Judge } from './verdict.ts'
import { hasOption, isOption } from './verdict.ts'

const ADDRESS = String.raw`(?:\d+|\$|/(?:[^/\\\n]|\\.)*/)`
const STEP = new RegExp(
  String.raw`^\s*(?:${ADDRESS}(?:,[+~]?${ADDRESS})?\s*)?(?:!\s*)?(?:[pdq=]|s([/|#@])(?:(?!\1)[^\\\n]|\\.)*\1(?:(?!\1)[^\\\n]|\\.)*\1[gpiI\d]*)\s*(?:;|\n|$)`,
)
const MAX_SCRIPT_CHARS = 2_000

// Where a separator inside brackets ends what it is in, and where not, is a question sed answers in its own ways.
const hasUnclearBrackets = (script: string): boolean =>
  (script.match(/\[\^?\]?[^\]]*(\]|$)/g) ?? []).some((part) => /[/|#@\\]/.test(part) || !part.endsWith(']'))

/** Whether a sed script only prints, deletes and substitutes lines of what it shows. */
function isPlainScript(script: string): boolean {
  if (script.length > MAX_SCRIPT_CHARS || hasUnclearBrackets(script)) return false
  let rest = script
  while (rest.trim() !== '') {
    const step = STEP.exec(rest)
    if (!step || step[0] === '') return false
    rest = rest.slice(step[0].length)
  }
  return true
}

const SED_FORM = readForm(
  '-nErsuz -e= --quiet --silent --regexp-extended --expression= --separate --unbuffered --null-data',
)

/** Whether sed only shows what it reads: its script can be read here, else it could write files or run commands. */
export function isPlainSed(args: readonly Word[]): boolean {
  const fitted = fitForm(args, SED_FORM)
  if (!fitted) return false
  const given = fitted.options.flatMap(({ value }) => (value === undefined ? [] : [value]))
  const [first] = fitted.operands
  if (given.length === 0 && (!first || first.hasGlob)) return false
  return (given.length > 0 ? given : [first!.text]).every(isPlainScript)
}

/** What sed does beyond reading can be anything, but for its option that changes files in place. */
export const judgeSed: Judge = (args) => {
  const others = args.filter(({ text }) => !/^-[nErsuz]*i|^--in-place/.test(text))
  return others.length < args.length && isPlainSed(others) ? 'write' : 'destructive'
}

const AWK_FUNCTIONS = new Set(
  `length substr index split sub gsub match sprintf printf print tolower toupper int sqrt exp log sin cos atan2 rand srand
   gensub strftime systime if while for in and or xor`.split(/\s+/),
)
const AWK_EXITS =
  /getline|[@\\]|\b(ARGV|ARGC|ENVIRON|PROCINFO|SYMTAB|FUNCTAB|system|close|fflush|function|func|extension|load|include)\b/

// For gawk such a file is a connection to another machine, also as a file to read.
const namesConnection = ({ text }: Word): boolean => /\/inet[46]?\//.test(text)

/** Whether awk only shows what it reads: its program has no way to a command, a file, a variable of the environment. */
export function isPlainAwk(args: readonly Word[]): boolean {
  if (args.some((word) => word.isDynamic || namesConnection(word))) return false
  const rest = withoutAwkOptions(args)
  const [program, ...files] = rest ?? []
  if (!program || program.hasGlob || files.some(({ text }) => /^[-*?[]/.test(text))) return false
  return isPlainAwkProgram(program.text)
}

function withoutAwkOptions(args: readonly Word[]): readonly Word[] | undefined {
  for (let at = 0; at < args.length; at++) {
    const { text, hasGlob } = args[at]!
    if (!text.startsWith('-')) return args.slice(at)
    if (hasGlob || !/^-(F.*|v([a-z]\w*=.*)?)$/s.test(text)) return undefined
    if (text === '-v' && !/^[a-z]\w*=/.test(args[at + 1]?.text ?? '')) return undefined
    if (text === '-F' || text === '-v') at++
  }
  return undefined
}

function isPlainAwkProgram(text: string): boolean {
  if (text.length > MAX_SCRIPT_CHARS) return false
  // A backslash is harmless in front of these.
  const program = text.replaceAll('||', ' ').replaceAll(/\\[tn"./()[\]$s|+*?^]/g, ' ')
  if (AWK_EXITS.test(program) || program.includes('|')) return false
  // Outside of braces it compares; inside of them it may be the way to a file.
  const action = program.indexOf('{')
  if (action >= 0 && program.includes('>', action)) return false
  const called = program.match(/[A-Za-z_]\w*(?=\s*\()/g) ?? []
  return called.every((name) => AWK_FUNCTIONS.has(name))
}

/** What awk does beyond reading: its program may run commands, unless it only prints into a file. */
export const judgeAwk: Judge = (args) => {
  if (args.some(namesConnection)) return 'destructive'
  const withoutArrows = args.map((word) => ({ ...word, text: word.text.replaceAll('>', ' ') }))
  return isPlainAwk(withoutArrows) ? 'write' : 'destructive'
}

/** What tar does when it does more than list. */
export const judgeTar: Judge = (args) => {
  const first = args[0]?.text ?? ''
  // In the oldest form its letters have no dash.
  if (/^[^\WIF]*[IF]\w*$/.test(first)) return 'destructive'
  if (
    hasOption(
      args,
      'IF',
      '--to-command',
      '--checkpoint',
      '--use-compress',
      '--rsh',
      '--rmt',
      '--info-script',
      '--new-volume',
      '--remove',
      '--unlink',
      '--recursive-unlink',
    )
  ) {
    return 'destructive'
  }
  if (args.some(({ text }) => /^[^/]+:/.test(text) && !isOption({ text, isDynamic: false, hasGlob: false })))
    return 'network'
  return 'write'
}
