import type { Word } from './command-line.ts'

/** The options with which a program only reads. An option that is not in it may do anything. */
export interface ReadForm {
  /** Letters that stand alone, and letters that take a value. */
  readonly flags: string
  readonly valued: string
  /** Long options, each with how it takes a value. */
  readonly long: ReadonlyMap<string, 'alone' | 'valued' | 'optional'>
  /** A number is an option: `-20`. */
  readonly takesNumber: boolean
  /** No option of this program does any harm, so a file whose name looks like an option does none either. */
  readonly isHarmless: boolean
  /** How many words it may have that are not options. */
  readonly maxOperands: number
}

/** The words of a command, sorted. */
export interface ReadArguments {
  readonly operands: readonly Word[]
  /** Each option with its value, under the name it was given by. */
  readonly options: readonly { readonly name: string; readonly value?: string }[]
}

/**
 * A form written down in short: `-al -n= --all --sort= --color[=]` are flags, a letter with a value, long options. `-N`
 * stands for numbers, `harmless` for a program of which no option does harm, `max:1` for the number of operands.
 */
export function readForm(text: string): ReadForm {
  const parts = text.split(/\s+/).filter((part) => part !== '')
  const long = parts.filter((part) => part.startsWith('--')).map(toLongOption)
  const short = parts.filter((part) => /^-[^-]/.test(part) && part !== '-N').map((part) => part.slice(1))
  const letters = (isValued: boolean): string =>
    short.filter((part) => part.endsWith('=') === isValued).join('')
  const max = /(?:^|\s)max:(\d+)/.exec(text)?.[1]
  return {
    flags: letters(false),
    valued: letters(true).replaceAll('=', ''),
    long: new Map(long),
    takesNumber: parts.includes('-N'),
    isHarmless: parts.includes('harmless'),
    maxOperands: max === undefined ? Infinity : Number(max),
  }
}

function toLongOption(part: string): readonly [string, 'alone' | 'valued' | 'optional'] {
  if (part.endsWith('[=]')) return [part.slice(0, -3), 'optional']
  return part.endsWith('=') ? [part.slice(0, -1), 'valued'] : [part, 'alone']
}

/** The words of a command, when all its options are in the form and nothing in it is decided only when it runs. */
export function fitForm(args: readonly Word[], form: ReadForm): ReadArguments | undefined {
  const operands: Word[] = []
  const options: { name: string; value?: string }[] = []
  for (let at = 0; at < args.length; at++) {
    const word = args[at]!
    if (word.isDynamic) return undefined
    if (word.text === '--') {
      operands.push(...args.slice(at + 1))
      break
    }
    if (!word.text.startsWith('-') || word.text === '-') {
      if (mayBecomeOption(word) && !form.isHarmless) return undefined
      operands.push(word)
      continue
    }
    const found = readOption(word, args[at + 1], form)
    if (!found) return undefined
    options.push(...found.options)
    if (found.usesNext) at++
  }
  if (operands.some(({ isDynamic }) => isDynamic) || operands.length > form.maxOperands) return undefined
  // It may stand for several names.
  if (form.maxOperands < Infinity && operands.some(({ hasGlob }) => hasGlob)) return undefined
  return { operands, options }
}

const mayBecomeOption = ({ text, hasGlob }: Word): boolean => hasGlob && /^[*?[]/.test(text)

interface FoundOption {
  readonly options: readonly { readonly name: string; readonly value?: string }[]
  readonly usesNext?: boolean
}

function readOption(
  { text, hasGlob }: Word,
  next: Word | undefined,
  form: ReadForm,
): FoundOption | undefined {
  if (hasGlob && !form.isHarmless) return undefined
  if (form.takesNumber && /^-\d+$/.test(text)) return { options: [{ name: text }] }
  return text.startsWith('--') ? readLong(text, next, form) : readCluster(text, next, form)
}

function readLong(text: string, next: Word | undefined, form: ReadForm): FoundOption | undefined {
  const equals = text.indexOf('=')
  const name = equals < 0 ? text : text.slice(0, equals)
  const kind = form.long.get(name)
  if (kind === undefined || (kind === 'alone' && equals >= 0)) return undefined
  if (equals >= 0) return { options: [{ name, value: text.slice(equals + 1) }] }
  return kind === 'valued' ? withNext(name, next, []) : { options: [{ name }] }
}

function readCluster(text: string, next: Word | undefined, form: ReadForm): FoundOption | undefined {
  const options: { name: string; value?: string }[] = []
  for (let at = 1; at < text.length; at++) {
    const letter = text[at]!
    const name = `-${letter}`
    if (form.flags.includes(letter)) options.push({ name })
    else if (!form.valued.includes(letter)) return undefined
    else if (at + 1 === text.length) return withNext(name, next, options)
    else return { options: [...options, { name, value: text.slice(at + 1) }] }
  }
  return { options }
}

// A value that looks like an option might be one for another version of the program.
function withNext(
  name: string,
  next: Word | undefined,
  before: FoundOption['options'],
): FoundOption | undefined {
  if (!next || next.isDynamic || next.hasGlob || /^-[^\d]/.test(next.text)) return undefined
  return { options: [...before, { name, value: next.text }], usesNext: true }
}
