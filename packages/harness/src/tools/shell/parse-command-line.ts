import type { Redirection, SimpleCommand, Word } from './command-line.ts'
import { HiddenExecution } from './command-line.ts'
import { readTokens } from './read-tokens.ts'

// Words of the shell's own grammar that may stand before a command.
const KEYWORDS = new Set('if then else elif fi while until do done { } ! in esac'.split(' '))

/** The programs a line would start, in order. Throws `HiddenExecution` when they cannot be determined. */
export function parseCommandLine(line: string): readonly SimpleCommand[] {
  const commands: SimpleCommand[] = []
  let words: Word[] = []
  let redirections: Redirection[] = []
  let pending: string | undefined
  const close = (operator?: string): void => {
    if (pending !== undefined) throw new HiddenExecution('a redirection that leads nowhere')
    if (words.length > 0 || redirections.length > 0) {
      const command = toCommand(words, redirections)
      const isDefinition = operator === '(' && command.words.length > 0
      commands.push(isDefinition ? { ...command, isDefinition } : command)
    }
    words = []
    redirections = []
  }
  for (const token of readTokens(line)) {
    if (token.type === 'separator') close(token.operator)
    else if (token.type === 'redirection') {
      if (pending !== undefined) throw new HiddenExecution('a redirection that leads nowhere')
      pending = token.operator
    } else if (pending !== undefined) {
      redirections.push({ operator: pending, target: token.word })
      pending = undefined
    } else words.push(token.word)
  }
  close()
  return commands
}

function toCommand(all: readonly Word[], redirections: readonly Redirection[]): SimpleCommand {
  const start = startOfCommand(all)
  const words = all.slice(start)
  const program = words.findIndex(({ isAssignment = false }) => !isAssignment)
  const cut = program < 0 ? words.length : program
  return {
    grammar: all.slice(0, start),
    assignments: words.slice(0, cut),
    words: words.slice(cut),
    redirections,
  }
}

// Skips what only frames a command. Whatever might be one is taken for one.
function startOfCommand(words: readonly Word[]): number {
  for (let at = 0; at < words.length; at++) {
    const { text, isQuoted = false } = words[at]!
    if (isQuoted) return at
    if (text === 'case') return words.length
    if (text === 'function') at++
    else if (text === 'for' || text === 'select') {
      const body = words.findIndex((word, index) => index > at && word.text === 'do')
      if (body < 0) return words.length
      at = body
    } else if (!KEYWORDS.has(text)) return at
  }
  return words.length
}
