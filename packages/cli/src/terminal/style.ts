import { styleText } from 'node:util'

/** An output for text: a terminal, a pipe or a file. */
export interface Output {
  readonly isTTY?: boolean
  readonly columns?: number
  readonly rows?: number
  write(text: string): unknown
}

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>

/** How lines are drawn on one output. */
export interface Style {
  /** The most columns of a line. */
  readonly width: number
  readonly colour: boolean
  readonly unicode: boolean
}

/** Wider lines are hard to read, even in a wide window. */
const WIDEST = 88
const NARROWEST = 20

/** The style for an output. */
export function styleOf(output: Output, env: Environment): Style {
  return {
    // One column stays free: terminals differ in where the cursor is after a full line.
    width: Math.max(NARROWEST, Math.min(WIDEST, columnsOf(output) - 1)),
    colour: isTerminal(output, env) && !env['NO_COLOR'],
    unicode: hasUnicode(env),
  }
}

/** Whether lines can be redrawn in place. */
export function isTerminal(output: Output, env: Environment): boolean {
  return output.isTTY === true && env['TERM'] !== 'dumb'
}

/** The width of an output. A terminal that does not know its size reports 0. */
export const columnsOf = ({ columns }: Output): number => columns || 80

function hasUnicode(env: Environment): boolean {
  if (env['TERM'] === 'linux' || env['TERM'] === 'dumb') return false
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG']
  // Windows has no locale variable; a terminal that sets one of these can show Unicode.
  return locale ? /utf-?8/i.test(locale) : Boolean(env['WT_SESSION'] || env['TERM_PROGRAM'])
}

/** A colour or weight of text. */
export type Paint = 'bold' | 'dim' | 'green' | 'red' | 'yellow' | 'cyan'

/** Paints text where the output has colours. */
export function paint({ colour }: Style, how: Paint, text: string): string {
  return colour && text !== '' ? styleText(how, text, { validateStream: false }) : text
}
