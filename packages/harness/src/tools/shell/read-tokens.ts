import type { Word } from './command-line.ts'
import { HiddenExecution } from './command-line.ts'

/** A token of a command line. */
export type Token =
  | { readonly type: 'word'; readonly word: Word }
  | { readonly type: 'separator' }
  | { readonly type: 'redirection'; readonly operator: string }

const OPERATORS = [
  '<<<',
  '<<-',
  '&&',
  '||',
  ';;',
  '|&',
  '>>',
  '>|',
  '>&',
  '<&',
  '<>',
  '<<',
  ';',
  '|',
  '(',
  ')',
  '>',
  '<',
]
const ENDS_WORD = new Set([' ', '\t', '\n', ';', '&', '|', '<', '>', '(', ')'])

/**
 * Takes a line apart as a POSIX shell would. Throws `HiddenExecution` at the first thing that runs what cannot be read
 * here, and at what cannot be read at all: the shell may know better than we do what an odd line means.
 */
export function readTokens(line: string): readonly Token[] {
  return new TokenReader(line).read()
}

class TokenReader {
  readonly #line: string
  readonly #tokens: Token[] = []
  readonly #heredocs: {
    readonly delimiter: string
    readonly isQuoted: boolean
    readonly stripsTabs: boolean
  }[] = []
  #at = 0

  constructor(line: string) {
    this.#line = line
  }

  read(): readonly Token[] {
    while (this.#at < this.#line.length) this.#step()
    if (this.#heredocs.length > 0) throw new HiddenExecution('a here-document without its end')
    return this.#tokens
  }

  #step(): void {
    const line = this.#line
    const char = line[this.#at]!
    if (char === ' ' || char === '\t') this.#at++
    else if (line.startsWith('\\\n', this.#at)) this.#at += 2
    else if (char === '\n') {
      this.#at++
      this.#tokens.push({ type: 'separator' })
      this.#skipHeredocs()
    } else if (char === '#') {
      const end = line.indexOf('\n', this.#at)
      this.#at = end < 0 ? line.length : end
    } else if (ENDS_WORD.has(char)) this.#operator()
    else this.#wordOrNumber()
  }

  #operator(): void {
    const operator = OPERATORS.find((one) => this.#line.startsWith(one, this.#at))
    if (operator === undefined) throw new HiddenExecution('a command in the background (&)')
    this.#at += operator.length
    if (!/[<>]/.test(operator)) {
      this.#tokens.push({ type: 'separator' })
      return
    }
    if ((operator === '<' || operator === '>') && this.#line[this.#at] === '(') {
      throw new HiddenExecution('process substitution')
    }
    this.#tokens.push({ type: 'redirection', operator })
    if (operator === '<<' || operator === '<<-') this.#openHeredoc(operator === '<<-')
    // Some shells take what is written right after it for a new word.
    if ((operator === '>&' || operator === '<&') && this.#line[this.#at] === '-') {
      this.#at++
      this.#tokens.push({ type: 'word', word: plainWord('-') })
    }
  }

  #wordOrNumber(): void {
    const start = this.#at
    const word = this.#word()
    const next = this.#line[this.#at]
    // The number of a stream, as in 2>file, is no word.
    const isStream = (next === '<' || next === '>') && /^\d+$/.test(this.#line.slice(start, this.#at))
    if (!isStream) this.#tokens.push({ type: 'word', word })
  }

  #word(): Word {
    const line = this.#line
    let text = ''
    let isDynamic = false
    let hasGlob = false
    let braces = ''
    while (this.#at < line.length && !ENDS_WORD.has(line[this.#at]!)) {
      const char = line[this.#at]!
      if (char === "'") text += this.#singleQuoted()
      else if (char === '"') {
        const quoted = this.#doubleQuoted()
        text += quoted.text
        isDynamic ||= quoted.isDynamic
      } else if (char === '\\') {
        if (line[this.#at + 1] !== '\n') text += line[this.#at + 1] ?? ''
        this.#at += 2
      } else if (char === '$' || char === '`') {
        const expanded = this.#expansion()
        text += expanded.text
        isDynamic ||= expanded.isDynamic
      } else {
        if ('*?['.includes(char)) hasGlob = true
        if ('{},.'.includes(char)) braces += char
        text += char
        this.#at++
      }
    }
    return { text, isDynamic: isDynamic || unfolds(braces), hasGlob }
  }

  #singleQuoted(): string {
    const end = this.#line.indexOf("'", this.#at + 1)
    if (end < 0) throw new HiddenExecution('a quote without its end')
    const text = this.#line.slice(this.#at + 1, end)
    this.#at = end + 1
    return text
  }

  #doubleQuoted(): { text: string; isDynamic: boolean } {
    const line = this.#line
    let text = ''
    let isDynamic = false
    this.#at++
    while (line[this.#at] !== '"') {
      const char = line[this.#at]
      if (char === undefined) throw new HiddenExecution('a quote without its end')
      if (char === '\\' && /[$`"\\\n]/.test(line[this.#at + 1] ?? '')) {
        if (line[this.#at + 1] !== '\n') text += line[this.#at + 1]
        this.#at += 2
      } else if (char === '$' || char === '`') {
        const expanded = this.#expansion(true)
        text += expanded.text
        isDynamic ||= expanded.isDynamic
      } else {
        text += char
        this.#at++
      }
    }
    this.#at++
    return { text, isDynamic }
  }

  #expansion(isQuoted = false): { text: string; isDynamic: boolean } {
    const rest = this.#line.slice(this.#at, this.#at + 200)
    if (rest.startsWith('`') || rest.startsWith('$(')) throw new HiddenExecution('command substitution')
    const variable = /^\$(\w+|\{\w+\}|[@*#?$!-])/.exec(rest)?.[0]
    if (variable !== undefined) {
      this.#at += variable.length
      return { text: variable, isDynamic: true }
    }
    if (rest.startsWith('${')) throw new HiddenExecution('a variable that is worked on as it is read')
    if (!isQuoted && /^\$['"]/.test(rest)) throw new HiddenExecution('text in coded form')
    this.#at++
    return { text: '$', isDynamic: false }
  }

  #openHeredoc(stripsTabs: boolean): void {
    while (this.#line[this.#at] === ' ' || this.#line[this.#at] === '\t') this.#at++
    const start = this.#at
    const { text, isDynamic } = this.#word()
    if (isDynamic || text === '') throw new HiddenExecution('a here-document whose end is not plain')
    const isQuoted = /['"\\]/.test(this.#line.slice(start, this.#at))
    this.#heredocs.push({ delimiter: text, isQuoted, stripsTabs })
    this.#tokens.push({ type: 'word', word: plainWord(text) })
  }

  #skipHeredocs(): void {
    for (const { delimiter, isQuoted, stripsTabs } of this.#heredocs.splice(0)) {
      for (let isBody = true; isBody;) {
        if (this.#at >= this.#line.length) throw new HiddenExecution('a here-document without its end')
        const end = this.#line.indexOf('\n', this.#at)
        const whole = this.#line.slice(this.#at, end < 0 ? this.#line.length : end)
        const text = stripsTabs ? whole.replace(/^\t+/, '') : whole
        this.#at = end < 0 ? this.#line.length : end + 1
        if (text === delimiter) isBody = false
        else if (!isQuoted) refuseInHeredoc(text)
      }
    }
  }
}

const plainWord = (text: string): Word => ({ text, isDynamic: false, hasGlob: false })

// Braces with a choice or a range between them.
function unfolds(braces: string): boolean {
  const open = braces.indexOf('{')
  const close = braces.lastIndexOf('}')
  const between = open < 0 || close < open ? '' : braces.slice(open, close)
  return between.includes(',') || between.includes('..')
}

function refuseInHeredoc(text: string): void {
  if (/`|\$\(|\$\{(?!\w+\})/.test(text)) throw new HiddenExecution('command substitution in a here-document')
  // The shell joins such a line with the next one, which then is not the end it seems to be.
  if (text.endsWith('\\')) throw new HiddenExecution('a here-document with lines that are joined')
}
