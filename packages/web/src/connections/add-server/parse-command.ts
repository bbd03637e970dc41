/** A program and its arguments, as typed into a terminal. */
interface ParsedCommand {
  readonly command: string
  readonly args: readonly string[]
  /** Parts that a terminal would expand and that are passed on unchanged here, such as `~/notes`. */
  readonly literal: readonly string[]
}

/** `shell`: it needs a shell, and none is started. `environment`: it sets a variable in front of the program. */
export type CommandProblem = 'empty' | 'open-quote' | 'shell' | 'environment'

export type CommandParse =
  | { readonly ok: true; readonly parsed: ParsedCommand }
  | { readonly ok: false; readonly problem: CommandProblem; readonly at?: string }

const OPERATORS = '|&;<>`'
const EXPANDS = /^~(?:\/|$)|\$\{?[A-Za-z_]|^%[A-Za-z_]+%/

/**
 * Splits a command line into the program and its arguments. Quotes group, a backslash takes the meaning from a space,
 * a quote or another backslash and is itself otherwise, so that Windows paths survive. Nothing is expanded, and what
 * only a shell could do is refused rather than passed on as if it were an argument.
 */
export function parseCommand(line: string): CommandParse {
  const words: string[] = []
  const literal: string[] = []
  let word: string | undefined
  let isExpandable = true
  let quote: '"' | "'" | undefined
  const text = line.trim().replace(/^\$\s+/, '')

  const endWord = (): void => {
    if (word === undefined) return
    words.push(word)
    if (isExpandable && EXPANDS.test(word)) literal.push(word)
    word = undefined
    isExpandable = true
  }

  for (let index = 0; index < text.length; index++) {
    const char = text.charAt(index)
    const next = text[index + 1]
    if (quote) {
      if (char === quote) quote = undefined
      else if (quote === '"' && char === '\\' && (next === '"' || next === '\\')) {
        word += next
        index++
      } else word += char
    } else if (char === '"' || char === "'") {
      quote = char
      word ??= ''
      isExpandable = false
    } else if (char === '\\' && next !== undefined && /[\s"'\\]/.test(next)) {
      // At the end of a line it only joins the next one.
      if (next !== '\n') word = (word ?? '') + next
      index++
    } else if (/\s/.test(char)) {
      endWord()
    } else if (OPERATORS.includes(char) || (char === '$' && next === '(')) {
      return { ok: false, problem: 'shell', at: char === '$' ? '$(' : char }
    } else {
      word = (word ?? '') + char
    }
  }
  if (quote) return { ok: false, problem: 'open-quote', at: quote }
  endWord()

  const [command, ...args] = words
  if (!command) return { ok: false, problem: 'empty' }
  if (/^[A-Za-z_]\w*=/.test(command))
    return { ok: false, problem: 'environment', at: command.split('=', 1)[0] }
  return { ok: true, parsed: { command, args, literal } }
}
