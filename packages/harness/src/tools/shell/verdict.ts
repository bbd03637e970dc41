import type { Word } from './command-line.ts'

/** How far a command reaches, each further than the one before it. */
export type CommandClass = 'read' | 'write' | 'network' | 'install' | 'destructive'

const ORDER: readonly CommandClass[] = ['read', 'write', 'network', 'install', 'destructive']

/** The highest of several classes. */
export const highest = (...classes: readonly CommandClass[]): CommandClass =>
  classes.reduce((a, b) => (ORDER.indexOf(b) > ORDER.indexOf(a) ? b : a), 'read')

/** Judges a program by the words after its name. `judge` is for a command inside a command. */
export type Judge = (args: readonly Word[], judge: (words: readonly Word[]) => CommandClass) => CommandClass

/** Whether git, run with these folders after `-C`, finds only repositories that make it run no program. */
export type PlainRepository = (folders: readonly string[]) => boolean

/** Whether a word is an option. */
export const isOption = ({ text }: Word): boolean => text.startsWith('-') && text !== '-'
/** The words that are not options. */
export const operandsOf = (args: readonly Word[]): readonly Word[] => args.filter((arg) => !isOption(arg))

/** Whether an option was given, alone (`-o`, `--output`), with a value attached, or inside a cluster (`-xo`). */
export function hasOption(args: readonly Word[], letters: string, ...names: readonly string[]): boolean {
  return args.some(({ text }) => {
    if (text.startsWith('--')) return names.some((name) => text.startsWith(name))
    return text.startsWith('-') && Array.from(letters).some((letter) => text.includes(letter))
  })
}
