/** One word of a command, with its quotes taken off. */
export interface Word {
  readonly text: string
  /** What it stands for is known only when it runs: a variable, or braces that unfold. */
  readonly isDynamic: boolean
  /** It may stand for names of files. */
  readonly hasGlob: boolean
  /** A part of it is quoted, so it is no word of the shell's grammar. */
  readonly isQuoted?: boolean
  /** It begins with `NAME=`, no part of which is quoted. */
  readonly isAssignment?: boolean
  /** The variables in it, each without its dollar sign. */
  readonly variables?: readonly string[]
}

/** A redirection of input or output. */
export interface Redirection {
  /** `>`, `>>`, `<` and so on, without the number before it. */
  readonly operator: string
  readonly target: Word
}

/** One program with its words, between two separators. */
export interface SimpleCommand {
  /** What frames it: `if`, `do`, or all of `for x in a b`. */
  readonly grammar: readonly Word[]
  /** `NAME=value` in front of the program, or alone. */
  readonly assignments: readonly Word[]
  readonly words: readonly Word[]
  readonly redirections: readonly Redirection[]
  /** It names a function whose body follows. */
  readonly isDefinition?: boolean
}

/** What was meant to run cannot be seen from the line. */
export class HiddenExecution extends Error {
  override readonly name = 'HiddenExecution'
}
