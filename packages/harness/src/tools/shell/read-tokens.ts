import type { Word } from './command-line.ts'
import { HiddenExecution } from './command-line.ts'

/** A token of a command line. */
export type Token =
  | { readonly type: 'word'; readonly word: Word }
  | { readonly type: 'separator'; readonly operator: string }
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
// oxlint-disable-next-line no-control-regex
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000b-\u001f\u007f]/
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
    readonly variables: string[]
  }[] = []
  #at = 0

  constructor(line: string) {
    this.#line = line
  }

  read(): readonly Token[] {
    // Shells differ in what they make of them.
    if (CONTROL_CHARACTERS.test(this.#line)) throw new HiddenExecution('a control character')
    while (this.#at < this.#line.length) this.#step()
    if (this.#heredocs.length > 0) throw new HiddenExecution('a here-document without its end')
    return this.#tokens
  }

  #step(): void {
    const line = this.#line
    const char = line[this.#at]!
    if (char === ' ' || char === '\t') this.#at++
    else if (this.#isContinued()) {
      // The shell joins the lines before it reads them. After a blank this changes nothing; elsewhere it makes one
      // word, one operator or one expansion out of two halves.
      if (!/^[ \t\n]?$/.test(line[this.#at - 1] ?? '')) throw new HiddenExecution(SPLIT)
      this.#at += 2
    } else if (char === '\n') {
      this.#at++
      this.#tokens.push({ type: 'separator', operator: char })
      this.#skipHeredocs()
    } else if (char === '#') {
      const end = line.indexOf('\n', this.#at)
      this.#at = end < 0 ? line.length : end
    } else if (ENDS_WORD.has(char)) this.#operator()
    else this.#wordOrNumber()
  }

  #isContinued(): boolean {
    return this.#line.startsWith('\\\n', this.#at)
  }

  #operator(): void {
    const operator = OPERATORS.find((one) => this.#line.startsWith(one, this.#at))
    if (operator === undefined) throw new HiddenExecution('a command in the background (&)')
    this.#at += operator.length
    if (!/[<>]/.test(operator)) {
      // Bash takes this for arithmetic, which runs what stands in it, quoted or not.
      if (operator === '(' && this.#line[this.#at] === '(') throw new HiddenExecution('arithmetic')
      this.#tokens.push({ type: 'separator', operator })
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
    const variables: string[] = []
    let text = ''
    let isQuoted = false
    let isAssignment = false
    let hasEquals = false
    let hasGlob = false
    let braces = ''
    while (this.#at < line.length && !ENDS_WORD.has(line[this.#at]!)) {
      const char = line[this.#at]!
      if (this.#isContinued()) throw new HiddenExecution(SPLIT)
      if ('\'"\\'.includes(char)) isQuoted = true
      if (char === "'") text += this.#singleQuoted()
      else if (char === '"') text += this.#doubleQuoted(variables)
      else if (char === '\\') {
        text += line[this.#at + 1] ?? ''
        this.#at += 2
      } else if (char === '$' || char === '`') text += this.#expansion(variables)
      else {
        if ('*?['.includes(char)) hasGlob = true
        if ('{},.'.includes(char)) braces += char
        text += char
        // Looked at once, so that a word full of them takes no longer.
        if (char === '=' && !hasEquals) isAssignment = !isQuoted && /^[A-Za-z_]\w*\+?=$/.test(text)
        hasEquals ||= char === '='
        this.#at++
      }
    }
    const isDynamic = variables.length > 0 || unfolds(braces)
    return {
      text,
      isDynamic,
      hasGlob,
      ...(isQuoted ? { isQuoted } : undefined),
      ...(isAssignment ? { isAssignment } : undefined),
      ...(variables.length > 0 ? { variables } : undefined),
    }
  }

  #singleQuoted(): string {
    const end = this.#line.indexOf("'", this.#at + 1)
    if (end < 0) throw new HiddenExecution('a quote without its end')
    const text = this.#line.slice(this.#at + 1, end)
    this.#at = end + 1
    return text
  }

  #doubleQuoted(variables: string[]): string {
    const line = this.#line
    let text = ''
    this.#at++
    while (line[this.#at] !== '"') {
      const char = line[this.#at]
      if (char === undefined) throw new HiddenExecution('a quote without its end')
      if (this.#isContinued()) throw new HiddenExecution(SPLIT)
      if (char === '\\' && /[$`"\\]/.test(line[this.#at + 1] ?? '')) {
        text += line[this.#at + 1]
        this.#at += 2
      } else if (char === '$' || char === '`') text += this.#expansion(variables, true)
      else {
        text += char
        this.#at++
      }
    }
    this.#at++
    return text
  }

  #expansion(variables: string[], isInQuotes = false): string {
    const rest = this.#line.slice(this.#at, this.#at + 200)
    if (rest.startsWith('`') || rest.startsWith('$(')) throw new HiddenExecution('command substitution')
    const variable = /^\$(\w+|\{\w+\}|[@*#?$!-])/.exec(rest)?.[0]
    if (variable !== undefined) {
      this.#at += variable.length
      variables.push(variable.replaceAll(/^\$\{?|\}$/g, ''))
      return variable
    }
    if (rest.startsWith('${')) throw new HiddenExecution('a variable that is worked on as it is read')
    // In arithmetic of this old form, quotes do not keep a substitution from running.
    if (rest.startsWith('$[')) throw new HiddenExecution('arithmetic')
    if (rest.startsWith('$\\\n')) throw new HiddenExecution(SPLIT)
    if (!isInQuotes && /^\$['"]/.test(rest)) throw new HiddenExecution('text in coded form')
    this.#at++
    return '$'
  }

  #openHeredoc(stripsTabs: boolean): void {
    while (this.#line[this.#at] === ' ' || this.#line[this.#at] === '\t') this.#at++
    const start = this.#at
    const { text, isDynamic } = this.#word()
    if (isDynamic || text === '') throw new HiddenExecution('a here-document whose end is not plain')
    const isQuoted = /['"\\]/.test(this.#line.slice(start, this.#at))
    // Filled when the text is read, which begins on the next line.
    const variables: string[] = []
    this.#heredocs.push({ delimiter: text, isQuoted, stripsTabs, variables })
    this.#tokens.push({ type: 'word', word: { ...plainWord(text), variables } })
  }

  #skipHeredocs(): void {
    for (const { delimiter, isQuoted, stripsTabs, variables } of this.#heredocs.splice(0)) {
      for (let isBody = true; isBody;) {
        if (this.#at >= this.#line.length) throw new HiddenExecution('a here-document without its end')
        const end = this.#line.indexOf('\n', this.#at)
        const whole = this.#line.slice(this.#at, end < 0 ? this.#line.length : end)
        const text = stripsTabs ? whole.replace(/^\t+/, '') : whole
        this.#at = end < 0 ? this.#line.length : end + 1
        if (text === delimiter) isBody = false
        else if (!isQuoted) variables.push(...variablesInHeredoc(text))
      }
    }
  }
}

const SPLIT = 'a backslash at the end of a line, in the middle of a word'

const plainWord = (text: string): Word => ({ text, isDynamic: false, hasGlob: false })

// Braces with a choice or a range between them.
function unfolds(braces: string): boolean {
  const open = braces.indexOf('{')
  const close = braces.lastIndexOf('}')
  const between = open < 0 || close < open ? '' : braces.slice(open, close)
  return between.includes(',') || between.includes('..')
}

function variablesInHeredoc(text: string): readonly string[] {
  if (/`|\$\(|\$\[|\$\{(?!\w+\})/.test(text))
    throw new HiddenExecution('command substitution in a here-document')
  // The shell joins such a line with the next one, which then is not the end it seems to be.
  if (text.endsWith('\\')) throw new HiddenExecution('a here-document with lines that are joined')
  return text.match(/(?<=\$\{?)(\w+|[@*#?$!-])/g) ?? []
}
