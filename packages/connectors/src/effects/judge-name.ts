import type { Effect } from '@capstan/harness'
import {
  ACTING_NOUNS,
  ACTING_VERBS,
  ADMIN_NOUNS,
  ADMIN_VERBS,
  EMPTY_WORDS,
  ENDINGS,
  FOREIGN_VERBS,
  GLUED_NOUNS,
  GLUED_VERBS,
  JOINTS,
  READ_VERBS,
  REQUEST_VERBS,
} from './effect-words.ts'
import { hasOtherLetters, toCaseWords, toNameWords } from './name-words.ts'

/** What the name of an action says. */
export interface NameVerdict {
  /** The effect, if nothing else is known. */
  readonly effect: Effect
  /** The name says that it changes something. No claim makes such an action one that reads. */
  readonly acts: boolean
  readonly words: readonly string[]
}

/**
 * What an action does, by the words of its name. It reads when it begins with a verb that reads, or ends with one after a
 * plural (`users.list`), no word of it acts, and it has only letters that the table
 * knows. The name of its app in front does not count. Pure.
 */
export function judgeName(name: string, app = ''): NameVerdict {
  const all = toNameWords(name)
  const known = [...all, ...toCaseWords(name)]
  const rest = withoutApp(all, new Set(toNameWords(app)))
  const reads = !hasOtherLetters(name) && startsOrEndsWithReading(rest)
  // The name of the app is left out only in front of a verb that reads: `mail_boss` of the app Mail sends a mail.
  const words = reads ? rest : all
  const isAdmin = known.some((word) => ADMIN_VERBS.has(word) || isGlued(word, ADMIN_VERBS))
  const acts =
    isAdmin ||
    known.some((word) => ACTING_VERBS.has(word) || isGlued(word, ACTING_VERBS)) ||
    known.some((word) => FOREIGN_VERBS.has(word)) ||
    words.some((_, index) => actsAt(words, index))
  if (reads && !acts) return { effect: 'read', acts, words }
  const effect = isAdmin || all.some((word) => ADMIN_NOUNS.has(word)) ? 'admin' : 'write'
  return { effect, acts, words }
}

function withoutApp(words: readonly string[], app: ReadonlySet<string>): readonly string[] {
  const start = words.findIndex((word) => !app.has(word) && !EMPTY_WORDS.has(word))
  return start === -1 ? words.slice(-1) : words.slice(start)
}

function actsAt(words: readonly string[], index: number): boolean {
  const word = words[index]!
  const before = words[index - 1]
  if (REQUEST_VERBS.has(word)) return before === undefined || !READ_VERBS.has(before)
  if (ACTING_NOUNS.has(word)) return before === undefined || JOINTS.has(before)
  // `check_in`, `check_out`: another verb than the one that reads.
  return before !== undefined && PHRASES.has(`${before} ${word}`)
}

const PHRASES: ReadonlySet<string> = new Set(['check in', 'check out', 'check off', 'count down', 'get rid'])

/** `sendmail` acts; `sender`, `deleted` and `payments` do not. */
function isGlued(word: string, known: ReadonlySet<string>): boolean {
  const verb = GLUED_VERBS.find((one) => word.startsWith(one) && known.has(one))
  if (verb === undefined || word === verb) return false
  const rest = word.slice(verb.length)
  return rest.length > 1 && !ENDINGS.has(rest) && !GLUED_NOUNS.has(word)
}

function startsOrEndsWithReading(words: readonly string[]): boolean {
  if (READ_VERBS.has(words[0] ?? '')) return true
  const last = words.at(-1)
  const before = words.at(-2)
  return last !== undefined && before?.endsWith('s') === true && READ_VERBS.has(last)
}
