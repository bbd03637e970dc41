import type { Judge } from './verdict.ts'
import { hasOption, highest, isOption, operandsOf } from './verdict.ts'

const ADDRESS = String.raw`(?:\d+|\$|/(?:[^/\\\n]|\\.)*/)`
const STEP = new RegExp(
  String.raw`^\s*(?:${ADDRESS}(?:,[+~]?${ADDRESS})?)?\s*!?\s*(?:[pdq=]|s([/|#@])(?:(?!\1)[^\\\n]|\\.)*\1(?:(?!\1)[^\\\n]|\\.)*\1[gpiI\d]*)\s*(?:;|\n|$)`,
)
const MAX_SCRIPT_CHARS = 2_000

// Where a separator inside brackets ends what it is in, and where not, is a question sed answers in its own ways.
const hasUnclearBrackets = (script: string): boolean =>
  (script.match(/\[\^?\]?[^\]]*(\]|$)/g) ?? []).some((part) => /[/|#@\\]/.test(part) || !part.endsWith(']'))

/** Whether a sed script only prints, deletes and substitutes lines of what it shows. */
function isPlainSed(script: string): boolean {
  if (script.length > MAX_SCRIPT_CHARS || hasUnclearBrackets(script)) return false
  let rest = script
  while (rest.trim() !== '') {
    const step = STEP.exec(rest)
    if (!step || step[0] === '') return false
    rest = rest.slice(step[0].length)
  }
  return true
}

/** Sed reads when its script can be read here; else it could write files or run commands. */
export const judgeSed: Judge = (args) => {
  if (args.some(({ isDynamic }) => isDynamic)) return 'destructive'
  const scripts: string[] = []
  let reach = highest()
  let isFirst = true
  for (let at = 0; at < args.length; at++) {
    const { text } = args[at]!
    if (text === '-e' || text === '--expression') scripts.push(args[++at]?.text ?? '')
    else if (text.startsWith('--expression=')) scripts.push(text.slice('--expression='.length))
    else if (/^-i|^--in-place/.test(text)) reach = highest(reach, 'write')
    else if (
      /^-[nErsuz]+$/.test(text) ||
      ['--quiet', '--silent', '--regexp-extended', '--version', '--help'].includes(text)
    )
      continue
    else if (isOption(args[at]!)) return 'destructive'
    else if (isFirst && scripts.length === 0) scripts.push(text)
    if (!isOption(args[at]!)) isFirst = false
  }
  return scripts.every(isPlainSed) ? reach : 'destructive'
}

/** Awk reads when its program has no way out: no command, no file, no code from elsewhere. */
export const judgeAwk: Judge = (args) => {
  if (args.some(({ isDynamic }) => isDynamic)) return 'destructive'
  for (let at = 0; at < args.length; at++) {
    const { text } = args[at]!
    if (text === '-F' || text === '-v') at++
    else if (/^-[Fv]/.test(text) || text === '--') continue
    else if (isOption(args[at]!)) return text === '--version' ? 'read' : 'destructive'
    else return judgeAwkProgram(text)
  }
  return 'read'
}

function judgeAwkProgram(program: string) {
  const withoutOr = program.replaceAll('||', '')
  if (/system|getline|@|\||ARGV/.test(withoutOr)) return 'destructive'
  return withoutOr.includes('>') ? 'write' : 'read'
}

/** Tar reads when it lists. */
export const judgeTar: Judge = (args) => {
  const first = args[0]?.text ?? ''
  // In the oldest form its letters have no dash.
  if (/^\w*[IF]\w*$/.test(first)) return 'destructive'
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
  const lists = /^-?[tvzjJf]*t[tvzjJf]*$/.test(first) || first === '--list'
  return lists && !args.slice(1).some(isOption) ? 'read' : 'write'
}

/** The second name is what it writes to. */
export const judgeFilter: Judge = (args) => (operandsOf(args).length > 1 ? 'write' : 'read')
