import { toolResultsOf } from '../canonical-request.ts'
import { answerOf } from '../answers.ts'
import type { AnswerKind } from '../answers.ts'
import type { CanonicalRequest } from '../canonical-request.ts'
import type { Script } from '../script.ts'

/** What one turn did. */
export interface TurnFacts {
  readonly text: string
  readonly modelCalls: number
  /** The `i` of every execution, in order. */
  readonly executed: readonly number[]
  /** What the model saw at last. Absent: not checked. */
  readonly lastRequest?: CanonicalRequest | undefined
  readonly answers?: AnswerKind
  /** Of a long result only the first line is compared. */
  readonly shortens?: boolean
  /** The pieces of text the listener received; absent without a listener. */
  readonly deltas?: readonly string[]
  /** There may be fewer pieces than the model sent, but at least one per reply with text. */
  readonly joinsDeltas?: boolean
}

/** Describes each difference from the script; empty when there is none. Pure. */
export function checkTurn(script: Script, facts: TurnFacts): readonly string[] {
  const problems: string[] = []
  const expect = (what: string, seen: unknown, wanted: unknown): void => {
    const [left, right] = [JSON.stringify(seen), JSON.stringify(wanted)]
    if (left !== right) problems.push(`${what}: ${shorten(left)} instead of ${shorten(right)}`)
  }
  expect('final text', facts.text, script.finalText)
  expect('model calls', facts.modelCalls, script.replies.length)
  // Parallel calls may finish in any order; the model must receive the results in order.
  expect(
    'tool executions',
    facts.executed.toSorted((a, b) => a - b),
    script.lookups,
  )
  const { answers } = facts
  if (answers) {
    const isShort = facts.shortens && answers === 'log16k'
    const toSeen = (text: string): string => (isShort ? (text.split('\n', 1)[0] ?? '') : text)
    expect(
      'tool results the model saw',
      facts.lastRequest && toolResultsOf(facts.lastRequest).map(toSeen),
      script.lookups.map((i) => toSeen(answerOf(i, answers))),
    )
  }
  if (facts.deltas) {
    const wanted = script.replies.flatMap((reply) => reply.deltas)
    const repliesWithText = script.replies.filter((reply) => reply.deltas.length > 0).length
    const least = facts.joinsDeltas ? repliesWithText : wanted.length
    if (facts.deltas.length < least || facts.deltas.length > wanted.length)
      problems.push(`pieces of text surfaced: ${facts.deltas.length} instead of ${wanted.length}`)
    expect('text surfaced', facts.deltas.join(''), wanted.join(''))
  }
  return problems
}

function shorten(json: string | undefined): string {
  const text = json ?? 'nothing'
  return text.length > 160 ? `${text.slice(0, 157)}...` : text
}
