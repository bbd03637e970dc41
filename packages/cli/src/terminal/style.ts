import { styleText } from 'node:util'

/** Something text is written to: a terminal, a pipe or a file. */
export interface Output {
  readonly isTTY?: boolean
  readonly columns?: number
  readonly rows?: number
  write(text: string): unknown
}

export type Environment = Readonly<Record<string, string | undefined>>

/** How lines are drawn on one output. */
export interface Style {
  /** The most columns a line of ours takes. */
  readonly width: number
  readonly colour: boolean
  readonly unicode: boolean
}

/** Wider lines are harder to read, however wide the window is. */
const WIDEST = 88
const NARROWEST = 20

export function styleOf(output: Output, env: Environment): Style {
  return {
    // One column stays free: a full line makes terminals disagree about where the cursor is.
    width: Math.max(NARROWEST, Math.min(WIDEST, columnsOf(output) - 1)),
    colour: isTerminal(output, env) && !env['NO_COLOR'],
    unicode: hasUnicode(env),
  }
}

/** Whether lines can be drawn again in place. */
export function isTerminal(output: Output, env: Environment): boolean {
  return output.isTTY === true && env['TERM'] !== 'dumb'
}

/** A terminal that does not know its size says 0. */
export const columnsOf = ({ columns }: Output): number => columns || 80

function hasUnicode(env: Environment): boolean {
  if (env['TERM'] === 'linux' || env['TERM'] === 'dumb') return false
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG']
  // Windows has no locale to ask; there, a terminal that names itself is a new one.
  return locale ? /utf-?8/i.test(locale) : Boolean(env['WT_SESSION'] || env['TERM_PROGRAM'])
}

export type Paint = 'bold' | 'dim' | 'green' | 'red' | 'yellow' | 'cyan'

export function paint({ colour }: Style, how: Paint, text: string): string {
  return colour && text !== '' ? styleText(how, text, { validateStream: false }) : text
}
