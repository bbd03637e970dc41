import { readFileSync } from 'node:fs'

/** A command line and how it is judged: its class, or `hidden`. */
export interface Judged {
  readonly line: string
  readonly verdict: string
}

// Each line of the file: the verdict, a tab, the command. A line break inside of a command is written as ␤.
const judgedLines = (name: string): readonly Judged[] =>
  readFileSync(new URL(name, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((text) => {
      const tab = text.indexOf('\t')
      return { verdict: text.slice(0, tab), line: text.slice(tab + 1).replaceAll('␤', '\n') }
    })

/** What people and models type all day to look at things. Some of it asks, on purpose: it does more than read. */
export const EVERYDAY = judgedLines('everyday.txt')

/** Ways to write, run, connect or show secrets while looking harmless. None of them is a read. */
export const TRICKS = judgedLines('tricks.txt')
