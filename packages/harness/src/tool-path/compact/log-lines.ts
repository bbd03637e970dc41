import type { KeywordAutomaton } from '../scrub/keyword-automaton.ts'
import { createKeywordAutomaton } from '../scrub/keyword-automaton.ts'

const TIMESTAMP =
  /\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?|\b[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d\b|\b\d{1,2}:\d\d:\d\d(?:[.,]\d{1,9})?\b|^\[ *\d{1,9}\.\d{3,6}\]|^1[6-9]\d{8}(?:\.?\d{3,6})?\b/
const TIMESTAMPS = new RegExp(TIMESTAMP, 'g')
const LEVEL =
  /\b(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL)\b|\blevel=|"level":|\[(?:trace|debug|info|notice|warn|error)\]/

// A zero count is no error, and neither is a passed test of any name.
const NO_ERROR =
  /\b(?:0|no) (?:errors?|failures?|failed|warnings?|problems?|issues?)\b|^\s*(?:✓|✔|√|ok\b|PASS\b)/i
const ERROR =
  /\b(?:errors?|fatal|panic(?:ked)?|exception|fail(?:ed|ure|ures|s|ing)?|critical|traceback|assert(?:ion)?|segmentation fault|core dumped|denied|refused|unhandled|uncaught|timed out|not found|cannot|killed|no such file)\b|[a-z](?:Error|Exception)\b|\bnpm ERR!|^\s*(?:✗|✖|×|❌|not ok\b|E {2,})/i
const WARNING = /\bwarn(?:ing|ings)?\b|\bdeprecated\b|⚠/i
const PERCENT = /\b\d{1,3}(?:\.\d+)? ?%/
const BAR = /[=#>.█▓▒░━╸-]{3,}|\(\d+\/\d+\)|\d ?[kKMG]i?B\b/
const SPINNER = /^\s*[⠁-⣿]/

// What makes a line an error stands in its beginning; a line may be the whole output.
const JUDGED_CHARS = 1_000

/** How important a line is. */
export type Weight = 'error' | 'warning' | 'plain'

/** Each error and each warning has one of these. */
const SIGNS = (
  'error|fatal|panic|exception|fail|critical|traceback|assert|segmentation fault|core dumped|denied|refused|' +
  'unhandled|uncaught|timed out|not found|cannot|killed|no such file|npm err!|✗|✖|×|❌|not ok|e  |warn|deprecated|⚠'
).split('|')
// Made for the first line: it would cost every start of a program.
let signs: KeywordAutomaton | undefined

function hasSign(line: string): boolean {
  let isFound = false
  signs ??= createKeywordAutomaton(SIGNS)
  signs.walk(line, () => {
    isFound = true
    return line.length
  })
  return isFound
}

/** The importance of a line for finding an error. */
export function weigh(line: string): Weight {
  const judged = line.slice(0, JUDGED_CHARS)
  if (!hasSign(judged)) return 'plain'
  if (ERROR.test(judged) && !NO_ERROR.test(judged)) return 'error'
  return WARNING.test(judged) && !NO_ERROR.test(judged) ? 'warning' : 'plain'
}

/** Whether a line has a timestamp. */
export function hasTimestamp(line: string): boolean {
  return TIMESTAMP.test(line.slice(0, 80))
}

/** Whether a line has a log level. */
export function hasLevel(line: string): boolean {
  return LEVEL.test(line.slice(0, 160))
}

/** The same timestamps, where most logs have them. */
const FIRST_TIMESTAMP = new RegExp(`^\\[?(?:${TIMESTAMP.source})`)
/** What every other timestamp in a line has. */
const CLOCK = /\d:\d\d|\d{4}[-/]\d\d[-/]/

/** A state of a progress bar or a spinner. Only the last state matters. */
export function isProgress(line: string): boolean {
  if (line.length > 300) return false
  return SPINNER.test(line) || (line.includes('%') && PERCENT.test(line) && BAR.test(line))
}

/** A key that is equal for equal lines at different times. */
export function toLineKey(line: string): string {
  // Two bars are one when only figures and drawing differ.
  if (isProgress(line)) return `\0${line.replaceAll(/[^\p{L}]+/gu, '')}`
  const first = FIRST_TIMESTAMP.exec(line)
  const rest = first ? `\0${line.slice(first[0].length)}` : line
  return (CLOCK.test(rest) ? rest.replaceAll(TIMESTAMPS, '\0') : rest).trimEnd()
}
